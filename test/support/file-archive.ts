import fs from "node:fs";
import { traceLives, type HistoryArchive, type Transaction, type Version } from "../../src/core/notes/history.ts";
import { sha256 } from "../../src/core/shared/hash.ts";

/** A history in one text file: like the git archive, but without forty milliseconds per call. */
export function openFileArchive(path: string): HistoryArchive {
  const read = (): Transaction[] => (fs.existsSync(path) ? parse(fs.readFileSync(path, "latin1")) : []);
  const write = (transactions: readonly Transaction[]): void => {
    fs.writeFileSync(`${path}.next`, render(transactions), "latin1");
    fs.renameSync(`${path}.next`, path);
  };
  const stateAt = (seq: number): Map<string, Uint8Array> => {
    const files = new Map<string, Uint8Array>();
    for (const { changes } of read().filter((transaction) => transaction.seq <= seq)) {
      for (const { file, after } of changes) {
        if (after === undefined) files.delete(file);
        else files.set(file, after);
      }
    }
    return files;
  };
  return {
    lastSeq: () => read().at(-1)?.seq ?? 0,
    append(transactions) {
      const kept = read();
      write([...kept, ...transactions.filter(({ seq }) => seq > (kept.at(-1)?.seq ?? 0))]);
    },
    versions: (file) =>
      read()
        .map(versionOf)
        .filter(({ files }) => file === undefined || files.some((change) => change.file === file))
        .toReversed(),
    contentAt: (seq, file) => stateAt(seq).get(file),
    filesAt: (seq) => [...stateAt(seq).keys()].toSorted(),
    contentsAt: stateAt,
    transactions: read,
    holds: (file, content) =>
      Buffer.compare(stateAt(Number.POSITIVE_INFINITY).get(file) ?? Buffer.from("-"), content) === 0,
    rewrite: (redaction) => write(read().map(redaction)),
    lives: () =>
      traceLives(
        read().map(({ changes, ...step }) => ({
          ...step,
          changes: changes.map(({ file, after, lineage }) => ({ file, content: after && sha256(after), lineage })),
        })),
      ),
    verify: () => [],
    packing: () => undefined,
  };
}

function versionOf({ seq, time, actor, reason, changes }: Transaction): Version {
  const files = changes.map(
    ({ file, after }) => ({ file, kind: after === undefined ? "deleted" : "changed" }) as const,
  );
  return { id: String(seq), seq, time, actor, reason, files };
}

function render(transactions: readonly Transaction[]): string {
  const plain = transactions.map((transaction) => ({
    ...transaction,
    changes: transaction.changes.map(({ file, after, lineage }) => ({
      file,
      lineage,
      after: after && Buffer.from(after).toString("latin1"),
    })),
  }));
  return JSON.stringify(plain);
}

function parse(text: string): Transaction[] {
  return JSON.parse(text, (key, value: unknown) =>
    key === "after" && typeof value === "string" ? Buffer.from(value, "latin1") : value,
  );
}
