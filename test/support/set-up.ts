import { afterAll, afterEach } from "vitest";
import { clearAfterFile, clearAfterTest } from "./after-every-test.ts";

afterEach(clearAfterTest);
afterAll(clearAfterFile);
