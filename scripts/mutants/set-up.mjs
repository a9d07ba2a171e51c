/** Loaded before each test file: notes which functions ran before a test and during it. */
import { afterEach, beforeEach } from "vitest";
import { REACHED } from "./reach.mjs";

const reached = (globalThis[REACHED] ??= new Set());

function take() {
  const numbers = [...reached];
  reached.clear();
  return numbers;
}

beforeEach(({ task }) => {
  task.meta.before = take();
});
afterEach(({ task }) => {
  task.meta.during = take();
});
