import { commands, hooks, reader, shell } from "./bundles.ts";

/**
 * `hook.cjs CLIENT`: the command that coding agents run at their events. It always exits with 0, because clients
 * interpret other codes, and a failing hook must have no effect.
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
