/** Beside a store's index: the guards that were approved on this machine. */
export const GUARDS_FILE = "guards.json";
