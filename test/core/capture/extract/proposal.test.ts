import { describe, expect, it } from "vitest";
import { LOOKS, parseStep, STEP_SCHEMA } from "../../../../src/core/capture/extract/proposal.ts";

const WORDING = { type: "feedback", name: "n", description: "d", rule: "r", why: "w", how: "h" };
const SAID = { message: "u1", quote: "always squash" };
const CREATE = { action: "create", note: "", ...WORDING, ...SAID };
const REVISE = { ...CREATE, action: "revise", note: "a.md" };
const SUPERSEDE = { ...CREATE, action: "supersede", note: "a.md" };
const RETIRE = { action: "retire", note: "a.md", ...SAID };
const LOOK = { tool: "note", argument: "a.md" };

const EMPTIED = ["", "  \n", undefined, null, 7, ["a.md"]];
const step = (parts: object) => parseStep({ look: [], operations: [], ...parts });

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly string[];
}

describe("the shape that a model is asked for", () => {
  /** Providers that enforce it want each field named as required. */
  const isWhole = ({ properties, required, items }: Shape): boolean =>
    items !== undefined
      ? isWhole(items)
      : properties === undefined ||
        (required?.toSorted().join() === Object.keys(properties).toSorted().join() &&
          Object.values(properties).every(isWhole));

  it("requires every field that it names, and names every field, look and action that is read", () => {
    const schema: Shape = STEP_SCHEMA;
    expect(isWhole(schema)).toBe(true);
    const operation = schema.properties?.["operations"]?.items?.properties ?? {};
    expect(Object.keys(operation).toSorted()).toEqual(Object.keys(CREATE).toSorted());
    expect(operation["action"]?.enum).toEqual(["create", "revise", "supersede", "retire"]);
    expect(operation["type"]?.enum).toEqual(["user", "feedback", "project", "reference"]);
    expect(schema.properties?.["look"]?.items?.properties?.["tool"]?.enum).toEqual([
      "note",
      "file",
      "list",
      "glob",
      "grep",
      "shell",
    ]);
  });
});

describe("a model's answer", () => {
  it.each([
    [CREATE, ["action", "type", "rule"]],
    [REVISE, ["action", "note", "type", "rule"]],
    [SUPERSEDE, ["action", "note", "type", "rule"]],
    [RETIRE, ["action", "note"]],
  ] as const)("takes $action with all that it needs, and skips it where one part is missing", (whole, needed) => {
    expect(step({ operations: [whole, whole] })).toMatchObject({
      proposals: [{ action: whole.action, evidence: SAID }, {}],
    });
    for (const field of needed)
      for (const value of EMPTIED)
        expect(step({ operations: [{ ...whole, [field]: value }, whole] }), `${field}: ${String(value)}`).toMatchObject(
          {
            proposals: [{ action: whole.action }],
          },
        );
  });

  it("keeps each field in its place, without space around it", () => {
    const spaced = Object.fromEntries(Object.entries(REVISE).map(([name, value]) => [name, ` ${value}\n`]));
    const { proposals = [] } = step({ operations: [{ ...spaced, action: "revise", type: "feedback" }] }) ?? {};
    expect(proposals).toEqual([{ action: "revise", note: "a.md", wording: WORDING, evidence: SAID }]);
  });

  it.each(LOOKS)("looks with %s, and skips a look without an argument", (tool) => {
    expect(step({ look: [{ tool, argument: " x " }] })).toMatchObject({
      looks: [{ tool, argument: "x" }],
    });
    for (const argument of EMPTIED) expect(step({ look: [{ tool, argument }, LOOK] })).toMatchObject({ looks: [LOOK] });
  });

  it("looks at most eight times, and with nothing that it was not offered", () => {
    expect(step({ look: Array.from({ length: 9 }, () => LOOK) })?.looks).toHaveLength(8);
    expect(step({ look: [{ tool: "write", argument: "a.md" }] })).toMatchObject({ looks: [] });
  });

  it.each([undefined, null, "text", [], {}, { look: "a", operations: 1 }])("is none at all: %j", (value) => {
    expect(parseStep(value)).toBeUndefined();
  });

  it.each([{ look: [LOOK] }, { operations: [CREATE] }])("may leave one of the two lists out: %j", (value) => {
    const { looks = [], proposals = [] } = parseStep(value) ?? {};
    expect(looks.length + proposals.length).toBe(1);
  });
});
