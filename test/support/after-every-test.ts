/**
 * What support modules leave behind is cleared here. Test files of one worker share their modules, so a hook that such a
 * module registers itself would serve only the first file; `set-up.ts`, which runs for each file, calls these.
 */
export type Clearing = () => void | Promise<void>;

const afterTest: Clearing[] = [];
const afterFile: Clearing[] = [];

/** To be called once, where a module is loaded. */
export function afterEveryTest(clearing: Clearing): void {
  afterTest.push(clearing);
}

export function afterEveryFile(clearing: Clearing): void {
  afterFile.push(clearing);
}

export async function clearAfterTest(): Promise<void> {
  for (const clearing of afterTest) await clearing();
}

export async function clearAfterFile(): Promise<void> {
  for (const clearing of afterFile) await clearing();
}
