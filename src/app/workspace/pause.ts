/** Lets what waits have its turn: signals, timers, answers. Long work does so between two pieces, so that Ctrl-C is heard. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
