import { commands, hooks, reader, shell } from "./bundles.ts";

/**
 * `hook.cjs CLIENT`: what coding agents run at their events. Always ends with 0: any other code means something to a
 * client, and a hook that fails must mean nothing.
 */
const end = (): never => process.exit(0);
process.on("uncaughtException", end);
const done = hooks().runProcess({
  file: __filename,
  answers: (kind) => reader(kind).answers(),
  full: () => commands().hooksInFull(),
  shell,
});
if (done === undefined) end();
else done.then(end, end);
