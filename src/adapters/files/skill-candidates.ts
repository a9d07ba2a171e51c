import type { FilePort } from "../../core/notes/file-port.ts";
import type { StoreLock } from "../../core/notes/store.ts";
import { CANDIDATES_FILE, type NotebookFile, readNotebook, writeNotebook } from "../../core/skills/notebook.ts";
import { nodeFiles, putFile } from "./node-files.ts";

const TASKS_FILE = "tasks.jsonl";
const LOCK_WAIT_MS = 5_000;

/** The notebook of one project, beside its skills. */
export function openNotebook(directory: string, lock: StoreLock, files: FilePort = nodeFiles): NotebookFile {
  const text = (name: string): string => {
    const bytes = files.read(`${directory}/${name}`);
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  };
  const read = (): ReturnType<NotebookFile["read"]> => readNotebook(text(CANDIDATES_FILE), text(TASKS_FILE));
  return {
    read,
    change(work) {
      files.makeDirectory(directory);
      return lock.run(LOCK_WAIT_MS, () => {
        const next = work(read());
        const [candidates, tasks] = writeNotebook(next);
        // Candidates first: a task that counts as seen without one would not be looked at again.
        if (candidates !== text(CANDIDATES_FILE)) putFile(`${directory}/${CANDIDATES_FILE}`, candidates, { files });
        if (tasks !== text(TASKS_FILE)) putFile(`${directory}/${TASKS_FILE}`, tasks, { files });
        return next;
      });
    },
  };
}
