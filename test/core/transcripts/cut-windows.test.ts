import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptFormat, Turn } from "../../../src/core/transcripts/turn.ts";
import { BEGINNING, type Position, readWindows, type TranscriptLine } from "../../../src/core/transcripts/windows.ts";

/** A session written as `u4 a2 a1-`: who speaks, what the turn weighs, `-` for no text. `+3` goes on with the turn before. */
function linesOf(session: string, padding = 0): readonly TranscriptLine[] {
  let end = 0;
  return session.split(" ").map((word, at) => {
    const start = end;
    end += word.length + 1 + padding;
    return { text: `${word} ${at + 1}`, number: at + 1, start, end, torn: false };
  });
}

interface Watched {
  /** What `all` was at each hand-over, and how often everything was read. */
  readonly drains: boolean[];
  reads: number;
}

/** A client whose last turn of the agent may still grow. With `drains` its reader hands over what is finished. */
function format(drains: boolean, watched: Watched = { drains: [], reads: 0 }): TranscriptFormat {
  const open = (): ReturnType<TranscriptFormat["open"]> => {
    let turns: { readonly line: number; turn: Turn }[] = [];
    const transcript = (of: typeof turns): ReturnType<ReturnType<TranscriptFormat["open"]>["transcript"]> => ({
      agent: "test",
      session: "s",
      cwd: undefined,
      turns: of.map(({ turn }) => turn),
      toolTexts: [],
      problems: [],
    });
    const reader = {
      read(text: string, line: number): void {
        const [word = "", number = ""] = text.split(" ");
        const last = turns.at(-1);
        const said = word.endsWith("-") ? "" : word;
        if (word.startsWith("+") && last?.turn.role === "assistant")
          last.turn = { ...last.turn, text: `${last.turn.text}${word}` };
        else {
          const role = word.startsWith("u") ? ("user" as const) : ("assistant" as const);
          turns.push({ line, turn: { role, id: number, text: said, time: undefined, toolCalls: [] } });
        }
      },
      transcript: () => (watched.reads++, transcript(turns)),
    };
    if (!drains) return reader;
    return {
      ...reader,
      drain(all: boolean) {
        watched.drains.push(all);
        const kept = all || turns.at(-1)?.turn.role !== "assistant" ? [] : turns.slice(-1);
        const given = turns.slice(0, turns.length - kept.length);
        turns = kept;
        return { transcript: transcript(given), resumeLine: kept[0]?.line };
      },
    };
  };
  return { agent: "test", recognises: () => true, open };
}

const weigh = ({ text }: Turn): number =>
  Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits)).reduce((sum, one) => sum + one, 0) || 1;

interface Cut {
  readonly shown: readonly string[];
  readonly next: readonly Position[];
  readonly found: boolean;
}

/** Windows as `u4 a2`; what the agent had said before stands in brackets. */
function cut(lines: readonly TranscriptLine[], room: number, from = BEGINNING, of = format(true)): Cut {
  const reading = readWindows(lines, { format: of, from, weigh, room });
  const shown: string[] = [];
  const next: Position[] = [];
  for (;;) {
    const step = reading.next();
    if (step.done === true) return { shown, next, found: step.value };
    const { transcript, turns } = step.value;
    const words = transcript.turns.map(({ text, role }) => text || `${role.slice(0, 1)}-`);
    const context = words.length - turns;
    shown.push(words.map((word, at) => (at < context ? `(${word})` : word)).join(" "));
    next.push(step.value.next);
  }
}

describe("a session is cut", () => {
  it.each([
    ["where a person speaks, once half a window is full", "u3 a3 u3 a3", ["u3 a3", "(a3) u3 a3"]],
    ["there too when exactly half is full", "u3 a2 u5 a1", ["u3 a2", "(a2) u5 a1"]],
    ["there, too, behind a single message", "u5 u1 a9", ["u5", "u1 a9"]],
    ["anywhere when less is full than half", "u1 a1 u8 a1", ["u1 a1 u8", "a1"]],
    ["not at all when it just fits", "u5 a5", ["u5 a5"]],
    ["behind the last turn that just fits", "u5 a5 a1", ["u5 a5", "a1"]],
    ["behind one turn that is too large for a window", "u20 a1", ["u20", "a1"]],
    ["not behind a single turn, however large", "u20", ["u20"]],
    ["as often as needed", "u1 a20 a1 u30", ["u1", "a20", "a1", "(a1) u30"]],
    [
      "with what the agent said last before a person's words, calls without words left out",
      "u4 a4 a- u5 a4",
      ["u4 a4 a-", "(a4) u5 a4"],
    ],
    ["with what it said in an earlier window, too", "u2 a3 u9 u9 u9", ["u2 a3", "(a3) u9", "(a3) u9", "(a3) u9"]],
    ["with nothing before the first words", "u9 u9", ["u9", "u9"]],
  ])("%s", (_, session, windows) => {
    for (const drains of [true, false])
      expect(cut(linesOf(session), 10, BEGINNING, format(drains)).shown).toEqual(windows);
  });

  it("without losing or repeating a turn, wherever reading goes on, for readers of both kinds", () => {
    const word = fc.tuple(fc.constantFrom("u", "a", "+"), fc.integer({ min: 1, max: 12 }));
    const session = fc.array(word, { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(session, fc.boolean(), fc.boolean(), (words, drains, isLarge) => {
        const lines = linesOf(["u1", ...words.map((one) => one.join(""))].join(" "), isLarge ? 100_000 : 0);
        const all = cut(lines, 10, BEGINNING, format(drains));
        const turns = (windows: readonly string[]): readonly string[] =>
          windows.flatMap((window) => window.split(" ").filter((one) => one !== "" && !one.startsWith("(")));
        expect(turns(all.shown)).toEqual(turns(cut(lines, 1_000, BEGINNING, format(drains)).shown));
        for (const [at, next] of all.next.entries()) {
          expect(next.line).toBe(lines.filter(({ start }) => start < next.offset).length);
          const behind = lines.filter(({ start }) => start >= next.offset);
          for (const given of [lines, behind]) {
            const rest = cut(given, 10, next, format(drains));
            expect(rest.found).toBe(true);
            expect(turns(rest.shown), `after window ${at}`).toEqual(turns(all.shown.slice(at + 1)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("reading goes on", () => {
  const lines = linesOf("u1 a2 +3 u4 a5 +6");
  const at = (line: number, after?: string): Position => ({ offset: lines[line]?.start ?? 0, line, after });

  it("with the whole of what the agent had said, and with growing words as one turn", () => {
    expect(cut(lines, 100, at(3))).toMatchObject({ shown: ["(a2+3) u4 a5+6"], found: true });
  });

  it("at the end with one window without turns, which says to go on there", () => {
    const end = { offset: lines.at(-1)?.end ?? 0, line: lines.length, after: undefined };
    expect(cut(lines, 100, BEGINNING).next).toEqual([end]);
    expect(cut(lines, 100, end)).toEqual({ shown: [""], next: [end], found: true });
  });

  it("after the turn captured last, where a reader hands nothing over; that turn is no part of it", () => {
    const whole = format(false);
    expect(cut(lines, 100, BEGINNING, whole).next).toEqual([{ offset: 0, line: 0, after: "5" }]);
    expect(cut(lines, 100, at(0, "2"), whole)).toMatchObject({ shown: ["(a2+3) u4 a5+6"], found: true });
    expect(cut(lines, 100, at(0, "5"), whole)).toMatchObject({ shown: [""], found: true });
    expect(cut(lines, 100, at(0, "9"), whole)).toEqual({ shown: [], next: [], found: false });
    expect(cut([], 100, BEGINNING, whole)).toMatchObject({ shown: [""], next: [BEGINNING], found: true });
  });

  it("before a line that is still being written, which is looked at all the same", () => {
    const torn = lines.map((line, index) => ({ ...line, torn: index === 5 }));
    const { shown, next } = cut(torn, 100);
    expect([shown, next]).toEqual([["u1 a2+3 u4 a5+6"], [{ offset: torn[5]?.start, line: 5, after: undefined }]]);
  });
});

describe("a large session", () => {
  it("is handed over in parts, and what still grows stays with its reader", () => {
    const watched: Watched = { drains: [], reads: 0 };
    const session = Array.from({ length: 10 }, (_, turn) => `u${turn} a${turn} +1`).join(" ");
    const { shown } = cut(linesOf(session, 100_000), 1_000, BEGINNING, format(true, watched));
    expect(shown).toEqual([session.replaceAll(" +", "+")]);
    // 30 lines of 100 KB: after each quarter of a megabyte, and once for all.
    expect(watched).toEqual({ drains: [true, ...Array<boolean>(10).fill(false), true], reads: 0 });
  });

  it("is read whole at its end only, where a reader hands nothing over", () => {
    const watched: Watched = { drains: [], reads: 0 };
    cut(linesOf("u1 a1 u1 a1 u1 a1 u1 a1", 100_000), 1_000, BEGINNING, format(false, watched));
    expect(watched).toEqual({ drains: [], reads: 1 });
  });

  it("takes a turn for finished that grew by eight megabytes, and not before", () => {
    const grown = (lines: number): Watched => {
      const watched: Watched = { drains: [], reads: 0 };
      cut(linesOf(`a1 ${"+1 ".repeat(lines - 2)}+1`, 1 << 20), 1_000_000, BEGINNING, format(true, watched));
      return watched;
    };
    expect(grown(7).drains.slice(1, -1)).not.toContain(true);
    expect(grown(10).drains.slice(1, -1)).toContain(true);
  });
});
