import { configDefaults, defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/support/long-files-first.ts";
import { renewedWorkers } from "./test/support/renewed-workers.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/clients/*.client.test.ts"],
    maxWorkers: 2,
    // Files of one worker share their modules: loading memdir anew for each file took a third of all the time.
    isolate: false,
    // Each process that a test starts costs what its worker holds: 15 ms at 100 MB, 200 ms at 1.5 GB. So `set-up.ts` cleans
    // up, and a worker that has grown is replaced.
    pool: renewedWorkers(300 * 1024 * 1024),
    execArgv: ["--expose-gc"],
    sequence: { sequencer: LongFilesFirst },
    // Modules stay transformed from run to run, by their content: a quarter of the processor time of quick tests.
    experimental: { fsModuleCache: true },
    setupFiles: ["test/support/set-up.ts"],
    // Left out of `npm run check` and run by `npm test`, as whole files named *.slow.test.ts are.
    tags: [{ name: "slow", description: "takes seconds: many histories of a real store, or megabytes" }],
    // A busy machine takes ten times as long as a quiet one; a test that hangs is still ended.
    retry: 0,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
