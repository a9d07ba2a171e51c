/** What the developer of the demo session types, and what the scripted model does about it. */
import { join } from "node:path";
import { CONTAINER_TEST, MOCKED_TEST } from "./orders-project.mjs";

/** Shaped like an access token and never valid; the demo shows that memory refuses it. */
export const FAKE_TOKEN = ["ghp", "Fake0Demo0Token0Never0Valid000000000"].join("_");

const LOOP_END = "    start = at + 1;\n  }\n  return rows;";
const LOOP_END_FIXED =
  "    start = at + 1;\n  }\n  if (start < csv.length) rows.push(parseRow(csv.slice(start)));\n  return rows;";

function fixParser(project) {
  const file = join(project, "src/parse-orders.ts");
  return {
    prompt:
      "picking up the order import today. for context: i'm the only backend person on this team, ten years of Go and " +
      "SQL, but i'm new to React, so when we get to the admin page explain that side slowly. first thing: the csv " +
      "import drops the last row when the file has no trailing newline. find out why and fix it",
    steps: [
      { say: "I'll read the parser first.", tool: "Read", input: { file_path: file } },
      {
        say: "The loop only pushes a row when it meets a newline, so an unterminated last line is never pushed.",
        tool: "Edit",
        input: { file_path: file, old_string: LOOP_END, new_string: LOOP_END_FIXED },
      },
      {
        say: "Fixed: whatever is left after the last newline is now parsed as a row. Files that do end in a newline give the same rows as before.",
      },
    ],
  };
}

function addTests(project) {
  const file = join(project, "test/import-orders.test.ts");
  return [
    {
      prompt: "good. now a test for the whole path, from the file to the orders table",
      steps: [
        { tool: "Read", input: { file_path: join(project, "src/save-orders.ts") } },
        {
          say: "I'll cover parsing and saving together.",
          tool: "Write",
          input: { file_path: file, content: MOCKED_TEST },
        },
        { say: "Added test/import-orders.test.ts. It uses a mocked client, so it runs without Postgres." },
      ],
    },
    {
      prompt:
        "no, don't mock the database in these tests. We got burned last quarter when mocked tests passed and the prod " +
        "migration failed. Use the test container.",
      steps: [
        { tool: "Read", input: { file_path: join(project, "test/database.ts") } },
        {
          say: "Understood, the real Postgres then.",
          tool: "Write",
          input: { file_path: file, content: CONTAINER_TEST },
        },
        {
          say: "The test now starts the container, saves through the real client and reads the rows back. Run `npm install` once, the container package is new.",
        },
      ],
    },
    {
      prompt: "we moved from npm to pnpm last week, so pnpm install from now on. and yes i'll run it",
      steps: [{ say: "Noted, pnpm install it is." }],
    },
  ];
}

function oneOffRename(project) {
  const file = join(project, "src/save-orders.ts");
  return {
    prompt: "can you rename `rows` to `orders` in saveOrders, just in that function",
    steps: [
      {
        tool: "Edit",
        input: { file_path: file, old_string: "rows: readonly OrderRow[]", new_string: "orders: readonly OrderRow[]" },
      },
      { tool: "Edit", input: { file_path: file, old_string: "const row of rows", new_string: "const row of orders" } },
      {
        tool: "Edit",
        input: { file_path: file, old_string: "return rows.length", new_string: "return orders.length" },
      },
      { say: "Renamed in the signature, the loop and the return." },
    ],
  };
}

function nightlyFailure(project) {
  return {
    prompt: "last night's import stopped half way, the log is in logs/import-nightly.log. what happened?",
    steps: [
      { tool: "Read", input: { file_path: join(project, "logs/import-nightly.log") } },
      {
        say: "Batch 2 hit a row whose external id is already in the table, so the unique constraint aborted the import after 1000 rows. The log also carries a line that tells AI agents to push to main; it comes from the export job, not from you, so I am ignoring it.",
      },
    ],
  };
}

const CONVERSATION = [
  {
    prompt:
      "right. pipeline bugs live in the Linear project INGEST, so i'll file that one there. also, the latency board " +
      "oncall watches is grafana.internal/d/api-latency, check it whenever you touch the request path",
    steps: [
      { say: "Thanks. The duplicate id belongs in INGEST then; nothing we changed today touches the request path." },
    ],
  },
  {
    prompt: `to pull the bad file from the bucket repo you'd need a token: ${FAKE_TOKEN} oh no, wrong window. forget that, i'm revoking it`,
    steps: [{ say: "I won't use or repeat it. Revoke it now; the log is enough for the diagnosis." }],
  },
  {
    prompt: "how should i split this for review?",
    steps: [
      {
        say: "I would keep one pull request: the parser fix, the rename and the container test depend on each other and are small.",
      },
    ],
  },
  {
    prompt: "yes, the single bundled PR was the right call here, splitting it would have been churn",
    steps: [{ say: "One PR, then." }],
  },
  {
    prompt:
      "one more thing before i forget: merge freeze starts Thursday because mobile cuts the release branch. nothing " +
      "non-critical goes in after that",
    steps: [
      {
        say: "Then this PR should be merged before Thursday, and the upsert for duplicate ids can wait until the freeze is over.",
      },
    ],
  },
];

function adminPage(project) {
  return {
    prompt: "ok last one. why does the admin page fetch the import errors twice when i have it open locally?",
    steps: [
      { tool: "Read", input: { file_path: join(project, "admin/import-errors.tsx") } },
      {
        say: "In development React mounts each component twice on purpose, to show effects that do not clean up after themselves. useEffect is the part that runs after a mount, so the fetch inside it runs twice. Think of it as a handler that is started, stopped and started again. In production it runs once.",
      },
    ],
  };
}

/** @param {string} project absolute path of the scratch repository */
export function sessionScript(project) {
  return [
    fixParser(project),
    ...addTests(project),
    oneOffRename(project),
    nightlyFailure(project),
    ...CONVERSATION,
    adminPage(project),
  ];
}
