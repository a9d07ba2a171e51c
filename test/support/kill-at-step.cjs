// Preloaded into the built command. Ends it with SIGKILL before the KILL_AT-th call that changes the file system, and
// stops its clock, so that two runs write the same bytes (unless KILL_CLOCK=runs). KILL_AT=count only reports the
// number of calls.
const fs = require("node:fs");
const path = require("node:path");

const NOW = Date.parse("2026-03-02T10:00:00Z");
if (process.env.KILL_CLOCK !== "runs") Date.now = () => NOW;

const isCounting = process.env.KILL_AT === "count";
const at = isCounting ? Number.POSITIVE_INFINITY : Number(process.env.KILL_AT ?? 0);
const error = fs.writeSync.bind(fs, 2);
let count = 0;
if (isCounting) process.on("exit", () => error(`${count} steps\n`));
function step(name, target) {
  if (at === 0 || ++count !== at) return;
  error(`killed before ${name} ${typeof target === "string" ? path.basename(target) : ""}\n`);
  process.kill(process.pid, "SIGKILL");
}

for (const name of [
  "writeFileSync",
  "appendFileSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "mkdirSync",
  "utimesSync",
  "truncateSync",
  "ftruncateSync",
  "fsyncSync",
  "chmodSync",
  "copyFileSync",
]) {
  const call = fs[name];
  fs[name] = (...values) => {
    step(name, values[0]);
    return call(...values);
  };
}
const open = fs.openSync;
fs.openSync = (file, flags, ...rest) => {
  if (flags !== undefined && flags !== "r" && flags !== fs.constants.O_RDONLY) step("openSync", file);
  return open(file, flags, ...rest);
};
const write = fs.writeSync;
fs.writeSync = (fd, ...rest) => {
  if (fd > 2) step("writeSync", "");
  return write(fd, ...rest);
};
