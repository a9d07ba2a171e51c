import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { tomlSettings } from "../../../src/adapters/settings/toml-settings.ts";

const COMMAND = `/opt/Jané Döe's "m" \\ $X/node`;
const ARGUMENTS = ["/opt/memdir/dist/memdir.cjs", "mcp"];
const editor = tomlSettings(COMMAND, ARGUMENTS);

function added(text: string | undefined): string {
  const edited = editor.add(text);
  if (!edited.ok || edited.text === undefined) throw new Error(`refused: ${JSON.stringify(edited)}`);
  return edited.text;
}

function removed(text: string, before: string | undefined): string | undefined {
  const edited = editor.remove(text, before);
  if (!edited.ok) throw new Error(`refused: ${edited.why}`);
  return edited.text;
}

const FILES = [
  "",
  'model = "x"',
  'model = "x"\n',
  "# only a comment\n\n\n",
  'a = 1\r\n[t]\r\nb = """\r\n[mcp_servers.memdir]\r\n"""\r\n',
  '[mcp_servers.other]\ncommand = "y"\n[mcp_servers."with.dot"]\ncommand = "z"',
  '[mcp_servers]\n  [mcp_servers.a]\n  command = "q"\n',
  "n = [\n  [1, 2],\n]\n",
];

describe("memdir's table in Codex's configuration", () => {
  it("means exactly what was meant, and nothing else changes", () => {
    for (const text of FILES) {
      const { mcp_servers: servers, ...rest } = parse(added(text));
      const { mcp_servers: were, ...before } = parse(text);
      expect(rest).toEqual(before);
      expect(servers).toEqual({ ...Object(were), memdir: { command: COMMAND, args: ARGUMENTS } });
      expect(added(text).startsWith(text)).toBe(true);
    }
  });

  it("comes out again without a trace, with what the client put below and behind it told apart", () => {
    for (const text of FILES) {
      expect(removed(added(text), text)).toBe(text);
      const behind = '\n# its own\n[projects."/p"]\ntrust_level = "trusted"\n';
      const below = '\n[mcp_servers.memdir.tools.recall]\napproval_mode = "approve"\n';
      const kept = text === "" || text.endsWith("\n") ? text : text + (text.includes("\r\n") ? "\r\n" : "\n");
      expect(removed(added(text) + below + behind, text)).toBe(kept + behind);
      expect(removed(`# first\n${added(text)}`, text)).toBe(`# first\n${kept}`);
    }
    expect(removed(added(undefined), undefined)).toBeUndefined();
  });

  it("keeps what a person appends, whatever it is", () => {
    const line = fc.constantFrom(
      "",
      "# note",
      "[x.y]",
      "[[list]]",
      'k = "v"',
      "[ spaced . out ]",
      'm = """\n[not.a.table]\n"""',
    );
    fc.assert(
      fc.property(fc.constantFrom(...FILES), fc.array(line, { maxLength: 6 }), (text, lines) => {
        const more = `\n[own]\n${lines.map((one, index) => one.replace(/^(\[+\s*)(\w+)/u, `$1n${index}$2`).replace(/^[km]/u, (name) => `${name}${index}`)).join("\n")}\n`;
        expect(removed(added(text) + more, text)).toBe(
          (text === "" || text.endsWith("\n") ? text : text + (text.includes("\r\n") ? "\r\n" : "\n")) + more,
        );
      }),
    );
  });

  it("is found by what it runs, and a server of that name that is not memdir's is refused with its line", () => {
    expect(editor.find(added("a = 1\n"))).toEqual({ ok: true, entries: editor.wanted });
    expect(editor.add('a = 1\n[mcp_servers.memdir]\ncommand = "other"\n')).toEqual({
      ok: false,
      line: 2,
      why: expect.stringContaining("is not memdir's"),
    });
    expect(editor.add('mcp_servers = { a = { command = "x" } }\n')).toEqual({
      ok: false,
      line: undefined,
      why: expect.stringContaining("inline"),
    });
    expect(editor.add("a = 1\nb = \n")).toEqual({ ok: false, line: 2, why: expect.stringContaining("not TOML") });
  });
});
