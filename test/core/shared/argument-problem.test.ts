import { parseArgs } from "node:util";
import { expect, it } from "vitest";
import { argumentProblem } from "../../../src/core/shared/errors.ts";

function problem(...args: readonly string[]): string {
  try {
    parseArgs({ args: [...args], options: { port: { type: "string" }, json: { type: "boolean" } }, strict: true });
  } catch (error) {
    if (error instanceof TypeError) return argumentProblem(error, (option) => `no ${option} here`);
    throw error;
  }
  return "";
}

it.each([
  [["--bogus"], "no --bogus here"],
  [["--port"], "--port needs a value; write --port=VALUE if it begins with a dash"],
  [["--port", "--json"], "--port needs a value; write --port=VALUE if it begins with a dash"],
  [["--json=yes"], "--json takes no value"],
  [["hello"], 'unexpected argument "hello"'],
])("%j is told as %s", (args, said) => {
  expect(problem(...args)).toBe(said);
});
