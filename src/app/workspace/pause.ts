/** Lets pending events run: signals, timers, answers. Long work does so between steps, so that Ctrl-C takes effect. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
