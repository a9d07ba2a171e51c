import path from "node:path";
import type { FilePort } from "../../core/notes/file-port.ts";
import { nodeFiles } from "./node-files.ts";

export interface PutOptions {
  readonly files?: Pick<FilePort, "remove" | "create" | "rename" | "syncDirectory">;
  /** Where it is written first; on the same device. Default: beside the file, with this process's number. */
  readonly aside?: string;
  /** The name is on disk too when it returns, not the content alone. */
  readonly named?: boolean;
}

/** Writes a whole file at once: whoever reads it, also after a crash, finds the old content or the new. The content is on disk when it returns. */
export function putFile(
  file: string,
  content: string | Uint8Array,
  { files = nodeFiles, aside = `${file}.${process.pid}`, named = false }: PutOptions = {},
): void {
  files.remove(aside);
  files.create(aside, typeof content === "string" ? new TextEncoder().encode(content) : content);
  files.rename(aside, file);
  if (named) files.syncDirectory(path.dirname(file));
}
