import { afterAll, afterEach } from "vitest";
import { clearAfterFile, clearAfterTest } from "./after-every-test.ts";

/** With more memory in use, garbage is collected before the next file starts processes. */
const MUCH_MEMORY = 400 * 1024 * 1024;

afterEach(clearAfterTest);
afterAll(async () => {
  await clearAfterFile();
  if (process.memoryUsage.rss() > MUCH_MEMORY) globalThis.gc?.();
});
