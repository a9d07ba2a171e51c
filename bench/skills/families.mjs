/**
 * Ten kinds of task. Each is a small repository in which the obvious commands fail: a step must come first, or a value
 * or a variable is missing. `steps` are the working commands, in order; `VALUE` is what the instance's prompt names.
 * `obvious` is the order in which a newcomer tries. Four instances: two teach, two are held out, in other words.
 */
const idle = (script) => ({ script, does: "nothing" });
const broken = (script) => ({ script, does: "fails" });

export const FAMILIES = [
  {
    name: "release",
    file: "VERSION",
    values: ["1.4.0", "1.5.2", "2.0.0", "2.1.7"],
    prompts: [
      "Release version VALUE of the command line tool.",
      "Cut the release VALUE of our command line tool.",
      "Please prepare the command line release VALUE.",
      "We need a new release of the command line tool: VALUE.",
    ],
    steps: ["scripts/freeze-notes.sh", "scripts/cut-release.sh VALUE"],
    others: [broken("scripts/publish.sh"), idle("scripts/bump.sh")],
    obvious: ["scripts/publish.sh", "scripts/cut-release.sh VALUE", "scripts/bump.sh", "scripts/freeze-notes.sh"],
  },
  {
    name: "migration",
    file: "db/schema.toml",
    values: ["add-orders", "drop-legacy", "add-invoices", "split-names"],
    prompts: [
      "Write the database migration VALUE and apply it.",
      "Apply a database migration called VALUE.",
      "Another database migration is due: VALUE, please apply it.",
      "Add and apply the migration VALUE to the database.",
    ],
    steps: ["scripts/snapshot-db.sh", "scripts/plan-migration.sh VALUE", "scripts/apply-plan.sh"],
    others: [broken("scripts/migrate.sh")],
    obvious: [
      "scripts/migrate.sh",
      "scripts/apply-plan.sh",
      "scripts/plan-migration.sh VALUE",
      "scripts/snapshot-db.sh",
    ],
  },
  {
    name: "add-provider",
    file: "providers/new.toml",
    values: ["acme", "globex", "initech", "umbrella"],
    prompts: [
      "Add the payment provider VALUE.",
      "We want VALUE as a payment provider, add it.",
      "Please add a payment provider named VALUE.",
      "Add one more payment provider: VALUE.",
    ],
    steps: ["scripts/scaffold-provider.sh VALUE", "scripts/index-providers.sh"],
    others: [idle("scripts/docs.sh"), broken("scripts/wire.sh")],
    obvious: ["scripts/index-providers.sh", "scripts/wire.sh", "scripts/docs.sh", "scripts/scaffold-provider.sh VALUE"],
  },
  {
    name: "flaky-test",
    file: "test/seed.toml",
    values: ["41", "97", "13", "58"],
    prompts: [
      "The order test is flaky again with seed VALUE, make it stable.",
      "Make the flaky order test stable, seed VALUE fails.",
      "Seed VALUE breaks the flaky order test; stable please.",
      "Our flaky order test must be stable for seed VALUE too.",
    ],
    steps: ["scripts/record-clock.sh", "scripts/pin-seed.sh"],
    others: [idle("scripts/retry.sh"), broken("scripts/rerun-all.sh")],
    obvious: ["scripts/retry.sh", "scripts/pin-seed.sh", "scripts/rerun-all.sh", "scripts/record-clock.sh"],
  },
  {
    name: "codegen",
    file: "openapi.yaml",
    values: ["users", "carts", "refunds", "coupons"],
    prompts: [
      "openapi.yaml got the resource VALUE; regenerate the typed client.",
      "Regenerate the typed client, openapi.yaml changed for VALUE.",
      "The typed client lacks VALUE from openapi.yaml, regenerate it.",
      "Please regenerate our typed client after the openapi.yaml change for VALUE.",
    ],
    steps: ["scripts/bundle-schema.sh", "scripts/emit-client.sh"],
    others: [broken("scripts/generate.sh"), idle("scripts/clean-cache.sh")],
    obvious: ["scripts/generate.sh", "scripts/emit-client.sh", "scripts/clean-cache.sh", "scripts/bundle-schema.sh"],
  },
  {
    name: "changelog",
    file: "changes/next.toml",
    values: ["3.1.0", "3.2.0", "4.0.1", "4.1.0"],
    prompts: [
      "Write the changelog entry for VALUE.",
      "The changelog needs an entry for VALUE.",
      "Add the VALUE entry to the changelog.",
      "Changelog entry for VALUE please.",
    ],
    steps: ["scripts/collect-fragments.sh", "scripts/render-changelog.sh VALUE"],
    others: [idle("scripts/sort-fragments.sh"), broken("scripts/changelog.sh")],
    obvious: [
      "scripts/changelog.sh",
      "scripts/render-changelog.sh VALUE",
      "scripts/sort-fragments.sh",
      "scripts/collect-fragments.sh",
    ],
  },
  {
    name: "e2e-setup",
    file: "e2e/target.toml",
    values: ["staging-a", "staging-b", "preview-c", "preview-d"],
    prompts: [
      "Set up the browser tests against VALUE.",
      "Browser tests should run against VALUE, set them up.",
      "Please set up browser tests for the target VALUE.",
      "We test another target in the browser: set up VALUE.",
    ],
    steps: ["E2E_HOST=local scripts/boot-stack.sh", "scripts/seed-accounts.sh"],
    needs: { "scripts/boot-stack.sh": "E2E_HOST" },
    others: [idle("scripts/install-browsers.sh")],
    obvious: [
      "scripts/install-browsers.sh",
      "scripts/boot-stack.sh",
      "scripts/seed-accounts.sh",
      "E2E_HOST=local scripts/boot-stack.sh",
    ],
  },
  {
    name: "docker-build",
    file: "images/tag.toml",
    values: ["r101", "r102", "r207", "r311"],
    prompts: [
      "Build the container image VALUE.",
      "The container image VALUE must be built.",
      "Please build our container image with the tag VALUE.",
      "Build another container image: VALUE.",
    ],
    steps: ["scripts/vendor-deps.sh", "scripts/build-image.sh VALUE"],
    others: [broken("scripts/image.sh"), idle("scripts/prune-layers.sh")],
    obvious: ["scripts/build-image.sh VALUE", "scripts/image.sh", "scripts/prune-layers.sh", "scripts/vendor-deps.sh"],
  },
  {
    name: "rename-package",
    file: "packages/name.toml",
    values: ["core-lib", "core-utils", "shared-kit", "shared-ui"],
    prompts: [
      "Rename the workspace package to VALUE.",
      "The workspace package is called VALUE from now on, rename it.",
      "Please rename our workspace package: VALUE.",
      "Workspace package rename to VALUE, all places.",
    ],
    steps: ["scripts/freeze-lock.sh", "scripts/move-package.sh VALUE", "scripts/relink-workspace.sh"],
    others: [broken("scripts/rename.sh")],
    obvious: [
      "scripts/rename.sh",
      "scripts/relink-workspace.sh",
      "scripts/move-package.sh VALUE",
      "scripts/freeze-lock.sh",
    ],
  },
  {
    // The first obvious command succeeds: there is nothing to learn here.
    name: "profile",
    file: "bench/case.toml",
    values: ["cold", "warm", "idle", "burst"],
    prompts: [
      "Profile the VALUE start of the server.",
      "Take a profile of the VALUE case.",
      "Please profile the server in the VALUE case.",
      "One more profile: the VALUE case of the server.",
    ],
    steps: ["scripts/profile.sh"],
    others: [],
    obvious: ["scripts/profile.sh"],
    teachesNothing: true,
  },
];
