import type { Ground } from "./ports.ts";

/** What is to leave the disk. It is marked before the work, so that a server that is killed finds it at its next start. */
export async function forgetting<T>({ activity, purgeMark }: Ground, work: () => Promise<T>): Promise<T> {
  activity.forgetting += 1;
  try {
    await purgeMark?.set();
    return await work();
  } finally {
    activity.forgetting -= 1;
    activity.forgets += 1;
  }
}
