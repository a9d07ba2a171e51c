/**
 * Cleans up what support modules leave behind. Test files of one worker share their modules, so a hook registered by a
 * module itself would serve only the first file; `set-up.ts`, which runs for each file, calls these.
 */
export type Clearing = () => void | Promise<void>;

const afterTest: Clearing[] = [];
const afterFile: Clearing[] = [];

/** To be called once, when a module is loaded. */
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
