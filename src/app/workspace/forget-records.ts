import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { putFile } from "../../adapters/files/put-file.ts";
import { isLineage, type Lineage } from "../../core/notes/lineage.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** What was to be forgotten and is not seen to be done. Names no note. */
export interface ForgetRecord {
  readonly id: string;
  /** ISO time. */
  readonly time: string;
  /** The process at work; one that is alive is left alone. */
  readonly pid: number;
  readonly lineages: readonly Lineage[];
}

function directoryIn(memdirHome: string): string {
  return path.join(memdirHome, "forgets");
}

/** On disk when it returns, its name too: from then on the notes are forgotten, now or at the next chance. */
export function beginForget(memdirHome: string, record: ForgetRecord): void {
  const directory = directoryIn(memdirHome);
  nodeFiles.makeDirectory(directory);
  const aside = path.join(directory, `${record.id}.tmp`);
  putFile(path.join(directory, `${record.id}.json`), `${JSON.stringify(record)}\n`, { aside, named: true });
}

export function endForget(memdirHome: string, id: string): void {
  nodeFiles.remove(path.join(directoryIn(memdirHome), `${id}.json`));
  nodeFiles.syncDirectory(directoryIn(memdirHome));
}

/** One look at a directory where there is nothing. */
export function pendingForgets(memdirHome: string): readonly ForgetRecord[] {
  const directory = directoryIn(memdirHome);
  return (nodeFiles.list(directory) ?? []).flatMap(({ name }): ForgetRecord[] => {
    const bytes = name.endsWith(".json") ? nodeFiles.read(path.join(directory, name)) : undefined;
    const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
    if (!isRecord(value) || !Array.isArray(value["lineages"])) return [];
    return [
      {
        id: path.basename(name, ".json"),
        time: String(value["time"]),
        pid: Number(value["pid"]),
        lineages: value["lineages"].filter(isLineage),
      },
    ];
  });
}
