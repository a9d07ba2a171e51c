import { existsSync } from "node:fs";
import { likelierStore } from "../../app/workspace/other-stores.ts";
import { locate } from "../../app/workspace/locations.ts";
import { NeedsFullCommand, openForRecall } from "../../app/recall/quick-recall.ts";
import { openTree } from "../../app/workspace/tree.ts";
import type { RecallOutcome } from "../../app/recall/recall-notes.ts";
import { verifySelected } from "../../app/recall/verify-notes.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { processIo } from "./process-io.ts";
import { warn } from "./io.ts";
import { forPerson } from "./wrap.ts";
import { recallCommand } from "./recall-command.ts";

/**
 * Answers `recall PROMPT [--json] [--raw] [--no-verify] [--session ID] [--dir DIR]` from an up-to-date index, without
 * code that writes. Returns `undefined`, with nothing printed, when the full command line has to answer.
 */
export function recallQuickly(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const quick = parse(argv);
  if (quick === undefined) return undefined;
  try {
    const locations = locate({ environment, ...(quick.dir === undefined ? {} : { dir: quick.dir }) });
    // The full command line reports the missing directory.
    if (quick.dir !== undefined && !existsSync(locations.stores[0]?.directory ?? "")) return undefined;
    const verify = quick.verify
      ? (outcome: RecallOutcome): RecallOutcome => verifySelected({ tree: openTree(locations) }, outcome)
      : undefined;
    const workspace = openForRecall(locations);
    const plain = processIo(environment);
    const io = quick.json || quick.raw ? plain : forPerson(plain);
    warn(io, likelierStore(locations));
    return recallCommand(workspace, io, quick.prompt, {
      locations,
      json: quick.json,
      raw: quick.raw,
      explain: false,
      verify,
      session: quick.session,
    });
  } catch (error) {
    if (error instanceof NeedsFullCommand || error instanceof MemoryError) return undefined;
    throw error;
  }
}

interface Quick {
  readonly prompt: string;
  readonly json: boolean;
  readonly raw: boolean;
  readonly verify: boolean;
  readonly dir: string | undefined;
  readonly session: string | undefined;
}

/** Accepts only the plain forms; anything else, including mistakes, is left to the full command line. */
function parse(argv: readonly string[]): Quick | undefined {
  const words: string[] = [];
  let json = false;
  let raw = false;
  let verify = true;
  let dir: string | undefined;
  let session: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--json") json = true;
    else if (word === "--raw") raw = true;
    else if (word === "--no-verify") verify = false;
    else if (word === "--dir") dir = argv[++i];
    else if (word.startsWith("--dir=")) dir = word.slice(6);
    else if (word === "--session") session = argv[++i] ?? "";
    else if (word.startsWith("--session=")) session = word.slice(10);
    else if (word.startsWith("-")) return undefined;
    else words.push(word);
  }
  return words.join("").trim() === "" || dir === "" || session === ""
    ? undefined
    : { prompt: words.join(" "), json, raw, verify, dir, session };
}
