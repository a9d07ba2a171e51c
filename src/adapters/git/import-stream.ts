import type { Transaction } from "../../core/notes/history.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";

/**
 * Transactions as a `git fast-import` stream onto `refs/heads/main`, after the commit `parent`. Named by
 * its id, so that git refuses when another process has moved the branch meanwhile.
 */
export function importStream(transactions: readonly Transaction[], parent: string | undefined): Buffer {
  const parts: (string | Uint8Array)[] = [];
  transactions.forEach((transaction, position) => {
    const seconds = Math.max(0, Math.floor(Date.parse(transaction.time) / 1000));
    const who = transaction.actor.replace(/[<>\n]/gu, "");
    parts.push(
      "commit refs/heads/main\n",
      `author ${who} <${who}@memdir> ${seconds} +0000\n`,
      `committer memdir <memdir@memdir> ${seconds} +0000\n`,
    );
    parts.push(...data(Buffer.from(messageOf(transaction))));
    if (position === 0 && parent !== undefined) parts.push(`from ${parent}\n`);
    for (const { file, after } of transaction.changes) {
      if (after === undefined) parts.push(`D ${quoted(file)}\n`);
      else parts.push(`M 100644 inline ${quoted(file)}\n`, ...data(after));
    }
    parts.push("\n");
  });
  parts.push("done\n");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

function messageOf({ seq, time, actor, reason, changes }: Transaction): string {
  const lineages = changes.flatMap(({ file, lineage }) =>
    lineage === undefined ? [] : [`Memdir-Lineage: ${lineage} ${encodeURI(file)}\n`],
  );
  return `${truncate(plainLine(reason), 200) || "change"}\n\nMemdir-Seq: ${seq}\nMemdir-Time: ${time}\nMemdir-Actor: ${plainLine(actor)}\n${lineages.join("")}`;
}

/** Without control characters: the log is taken apart at some of them. */
function plainLine(text: string): string {
  return oneLine(text.replace(/[\0-\x1f\x7f]/gu, " "));
}

function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.byteLength}\n`, bytes, "\n"];
}

function quoted(path: string): string {
  return `"${path.replace(/\\/gu, "\\\\").replace(/"/gu, '\\"').replace(/\n/gu, "\\n")}"`;
}
