import fs from "node:fs";

/** A Claude Code session on disk that grows as the user talks. */
export interface SessionFile {
  readonly path: string;
  /** The user's text and the agent's answer, with the agent's calls. */
  say(words: string, calls?: readonly { readonly name: string; readonly input: unknown }[]): void;
  /** Raw lines. */
  append(text: string): void;
}

export function sessionFile(path: string, session = "s1", cwd = "/nowhere"): SessionFile {
  let turn = 0;
  const append = (text: string): void => {
    fs.appendFileSync(path, text);
    // Backdated, because memdir waits for a file that has just changed.
    const earlier = new Date(Date.now() - 5_000);
    fs.utimesSync(path, earlier, earlier);
  };
  return {
    path,
    append,
    say(words, calls = []) {
      turn++;
      const time = new Date(Date.UTC(2026, 2, 2, 9) + turn * 1_000).toISOString();
      const user = {
        type: "user",
        uuid: `u${turn}`,
        sessionId: session,
        cwd,
        timestamp: time,
        promptSource: "typed",
        message: { role: "user", content: words },
      };
      const blocks = [
        { type: "text", text: `Answer ${turn}.` },
        ...calls.map(({ name, input }, index) => ({ type: "tool_use", id: `t${turn}-${index}`, name, input })),
      ];
      const answer = {
        type: "assistant",
        uuid: `a${turn}`,
        sessionId: session,
        timestamp: time,
        message: { id: `m${turn}`, role: "assistant", content: blocks },
      };
      append(`${JSON.stringify(user)}\n${JSON.stringify(answer)}\n`);
    },
  };
}
