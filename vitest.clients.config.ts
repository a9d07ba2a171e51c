import { defineConfig } from "vitest/config";

/** Comparisons with real clients, which have to be installed first: `npm run test:clients` says how when they are not. */
export default defineConfig({
  test: {
    include: ["test/clients/*.client.test.ts"],
    maxWorkers: 1,
    // A client waits for more than half of its time: six keep two cores busy.
    maxConcurrency: 6,
    // A real client may be slow to start on a busy machine; a true difference is there both times.
    retry: 1,
    testTimeout: 150_000,
    hookTimeout: 30_000,
  },
});
