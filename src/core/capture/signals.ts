import type { Signal } from "./signal.ts";
import { ENGLISH_SIGNALS } from "./signals-english.ts";
import { HABIT_SIGNALS } from "./signals-habits.ts";
import { OTHER_SIGNALS } from "./signals-other.ts";

const SIGNALS: readonly Signal[] = [...ENGLISH_SIGNALS, ...OTHER_SIGNALS, ...HABIT_SIGNALS];

export function signalsIn(plain: string): readonly Signal[] {
  return SIGNALS.filter((signal) => signal.pattern.test(plain) && !(signal.unless?.test(plain) ?? false));
}
