import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { jsonSettings } from "../../../src/adapters/settings/json-settings.ts";
import { hookCommand, hookSettings, type JsonTree, serverSettings } from "../../../src/core/install/agents.ts";

const PROGRAM = {
  node: "/usr/bin/node",
  hook: "/opt/Jané Döe's/dist/hook.cjs",
  command: "/opt/memdir/dist/memdir.cjs",
};
const HOOKS = hookSettings("claude-code", hookCommand(PROGRAM, "claude-code"));
const SERVER = serverSettings("claude-code", PROGRAM.node, [PROGRAM.command, "mcp"]);
const BOTH: JsonTree = { ...HOOKS, ...SERVER };

function added(text: string, tree = BOTH): string {
  const edited = jsonSettings("claude-code", tree).add(text);
  if (!edited.ok || edited.text === undefined) throw new Error(`refused: ${JSON.stringify(edited)}`);
  return edited.text;
}

function removed(text: string, before: string | undefined): string | undefined {
  const edited = jsonSettings("claude-code", {}).remove(text, before);
  if (!edited.ok) throw new Error(`refused: ${edited.why}`);
  return edited.text;
}

const HAND_FORMATTED = [
  "{}",
  "{ }",
  "{\n}\n",
  "{\n  // nothing yet\n}\n",
  '{"model":"opus"}',
  '{ "model": "opus", "n": [1, 2] }',
  '{\n  "model": "opus"\n}\n',
  '{\n\t"model": "opus",\n\t"env": {"A": "b"}\n}',
  '{\n    "model" : "opus", // the best\n    /* hooks come here */\n    "hooks": {},\n}\n',
  '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]\r\n  }\r\n}\r\n',
  '\u{FEFF}{\n  "hooks": { "Stop": [], "Other": [\n  ] } // end\n}\n\n',
  '{\n  "hooks": {\n    "Stop": [\n      {\n        "matcher": "", // every\n        "hooks": [ { "type": "command", "command": "x" }, ],\n      },\n    ],\n  },\n  "mcpServers": { "other": { "command": "y" } },\n  // the end\n}',
  '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"a"}]}]},"mcpServers":{}}',
  '{ "a": 1,\n"b": 2 }',
];

describe("memdir's entries in a JSON file", () => {
  it("come out again without a trace, whatever the formatting", () => {
    for (const text of HAND_FORMATTED) expect(removed(added(text), text), JSON.stringify(text)).toBe(text);
  });

  it("only add: every line and every other value stays", () => {
    for (const text of HAND_FORMATTED) {
      const after = added(text);
      for (const comment of text.match(/\/\/[^\r\n]*|\/\*.*?\*\//gu) ?? []) expect(after).toContain(comment);
      expect(after.startsWith("\u{FEFF}")).toBe(text.startsWith("\u{FEFF}"));
      expect(text.includes("\r\n") && after.replaceAll("\r\n", "").includes("\n")).toBe(false);
      const [was, is] = [parse(text.replace("\u{FEFF}", "")), parse(after.replace("\u{FEFF}", ""))];
      expect(is).toMatchObject({
        ...was,
        hooks: expect.anything(),
        mcpServers: { ...was.mcpServers, ...(SERVER["mcpServers"] as object) },
      });
      for (const [event, groups] of Object.entries(HOOKS["hooks"] ?? {}))
        expect(is.hooks[event]).toEqual([...(was.hooks?.[event] ?? []), ...groups]);
    }
  });

  it("keep tabs, and follow the indentation that is there", () => {
    expect(added('{\n\t"model": "opus"\n}', SERVER)).toBe(
      '{\n\t"model": "opus",\n\t"mcpServers": {\n\t\t"memdir": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": ["/opt/memdir/dist/memdir.cjs", "mcp"]\n\t\t}\n\t}\n}',
    );
  });

  it("are found again, and are then what would be written", () => {
    const editor = jsonSettings("claude-code", BOTH);
    for (const text of HAND_FORMATTED)
      expect(editor.find(added(text))).toEqual({
        ok: true,
        entries: expect.toSatisfy(
          (entries: readonly unknown[]) =>
            entries.length === editor.wanted.length &&
            editor.wanted.every((one) => entries.some((entry) => isDeepStrictEqual(entry, one))),
        ),
      });
    expect(editor.find("{}")).toEqual({ ok: true, entries: [] });
  });

  it("leave a command that a person put into memdir's own group", () => {
    const text =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say a"},{"type":"command","command":"\\"/n/node\\" \\"/m/hook.cjs\\" claude-code"}]}]}}';
    expect(removed(text, undefined)).toBe('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say a"}]}]}}');
  });

  it("go without a record too, and empty settings that only they had made go with them", () => {
    expect(removed(added('{\n  "model": "opus"\n}\n'), undefined)).toBe('{\n  "model": "opus"\n}\n');
    expect(removed(added("{}"), undefined)).toBeUndefined();
  });

  it("survive a client that writes the whole file anew", () => {
    const rewritten = JSON.stringify({ ...parse(added('{ // mine\n "model": "opus" }')), added: true }, undefined, 2);
    expect(removed(rewritten, '{ // mine\n "model": "opus" }')).toBe(
      JSON.stringify({ model: "opus", added: true }, undefined, 2),
    );
  });
});

describe("a JSON file that cannot be understood", () => {
  it("is refused with its line and what to do", () => {
    const refusals: readonly (readonly [string, number, RegExp])[] = [
      ['{\n  "a": 1\n  "b": 2\n}', 3, /not JSON \(comma expected\)/u],
      ['{\n  "hooks": []\n}', 2, /"hooks" is not an object/u],
      ['{\n\n  "hooks": {"Stop": {}}\n}', 3, /"hooks.Stop" is not a list/u],
      ["[]", 1, /it is not an object/u],
      ['{"hooks": {},\n"hooks": {}}', 2, /"hooks" is there twice/u],
      ['{\n"mcpServers": {\n"memdir": {"command": "other"}}}', 3, /"mcpServers.memdir" already exists/u],
    ];
    for (const [text, line, why] of refusals)
      expect(jsonSettings("claude-code", BOTH).add(text), text).toEqual({
        ok: false,
        line,
        why: expect.stringMatching(why),
      });
  });

  it("is no trouble when it is empty: then the whole file is memdir's", () => {
    for (const text of ["", " \n", "\u{FEFF}"]) expect(removed(added(text), text)).toBe(text);
  });
});

/** A settings file as people write them, and places in it where they go on writing. */
const space = fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", " // why\n", " /* c */ ");
const scalar = fc.constantFrom("1", "true", "null", '"a, b"', '"// no"', '"é}"', "[]", "{}", "[ 1, 2 ]", '{ "x": 1 }');
const member = (name: string) =>
  fc
    .tuple(space, space, scalar, space)
    .map(([a, b, value, c]) => `${a}"${name}"${b.includes("//") ? "" : b}:${c.includes("//") ? " " : c}${value}`);
const group = fc.constantFrom(
  '{ "hooks": [ { "type": "command", "command": "say hi" } ] }',
  '{"matcher":"Bash","hooks":[]}',
  "{\n}",
);
const eventList = fc
  .tuple(fc.constantFrom("Stop", "SessionStart", "Mine"), fc.array(group, { maxLength: 2 }), space)
  .map(([event, groups, gap]) => `"${event}": [${groups.join(`,${gap}`)}]`);
const hooksMember = fc
  .tuple(space, fc.option(eventList, { nil: undefined }), space)
  .map(([a, event, b]) => `${a}"hooks": {${event ?? ""}${b}}`);
const settings = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "c", "d").chain(member), { maxLength: 3 }),
    fc.option(hooksMember, { nil: undefined }),
    space,
    fc.boolean(),
    fc.constantFrom("", "\n", "\r\n"),
  )
  .map(([members, hooks, gap, trailing, end]) => {
    const named = members.map((one, index) => one.replace(/"[abcd]"/u, `"k${index}"`));
    const all = hooks === undefined ? named : [...named.slice(0, 1), hooks, ...named.slice(1)];
    return { members: all, text: `{${all.join(",")}${trailing && all.length > 0 ? "," : ""}${gap}}${end}`, trailing };
  });

describe("what a person edits while memdir is installed", () => {
  it("ends as if memdir had never been there", () => {
    const edits = fc.record({ first: fc.boolean(), last: fc.boolean(), change: fc.nat(3), comment: fc.boolean() });
    fc.assert(
      fc.property(settings, edits, ({ text, members, trailing }, { first, last, change, comment }) => {
        const edit = (file: string): string => {
          let out = file;
          const target = members[change];
          if (target !== undefined && !target.includes('"hooks"'))
            out = out.replace(target, () => `${target.replace(/"k\d"/u, '"changed"')}`);
          if (first) out = out.replace("{", () => '{ "first": 1,');
          if (comment) out = `// a person was here\n${out}`;
          return out;
        };
        // Behind everything: each file by its own last character, as an editor's cursor would be.
        const append = (file: string): string =>
          last ? file.replace(/\s*\}\s*$/u, (end) => `,\n"last": 2${end}`) : file;
        const installed = added(text);
        const [mine, theirs] = [edit(text), edit(installed)];
        // Behind a comma or a comment a careless replacement would write something that is not JSON.
        fc.pre(
          members.length > 0 && (!last || !trailing) && (!last || !/\/\/[^\n]*\n\s*\}\s*$|\*\/\s*\}\s*$/u.test(text)),
        );
        expect(removed(append(theirs), text)).toBe(append(mine));
      }),
      { numRuns: 300 },
    );
  });
});
