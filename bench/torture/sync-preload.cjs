// Loaded before the built command: a clock of its own (TORTURE_CLOCK_MS ahead), SIGKILL before the TORTURE_KILL_AT-th call
// that changes files, and a disk that is full from the TORTURE_FULL_AT-th such call on. SQLite and git write past it; they
// meet a full disk where a small one is mounted.
const fs = require("node:fs");

const aheadMs = Number(process.env.TORTURE_CLOCK_MS ?? 0);
if (aheadMs !== 0) {
  const now = Date.now;
  const RealDate = Date;
  Date.now = () => now() + aheadMs;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(RealDate.now());
      else super(...values);
    }
  };
}

const killAt = Number(process.env.TORTURE_KILL_AT ?? 0);
const fullAt = Number(process.env.TORTURE_FULL_AT ?? 0);
let count = 0;

/** `takesRoom`: fails on a full disk; what makes room does not. */
function step(name, takesRoom) {
  if (++count === killAt) process.kill(process.pid, "SIGKILL");
  if (!takesRoom || fullAt === 0 || count < fullAt) return;
  const full = new Error(`ENOSPC: no space left on device, ${name}`);
  throw Object.assign(full, { code: "ENOSPC", errno: -28, syscall: name });
}

if (killAt > 0 || fullAt > 0) {
  const takesRoom = { writeFileSync: true, appendFileSync: true, linkSync: true, mkdirSync: true, copyFileSync: true };
  const others = { renameSync: false, unlinkSync: false, rmSync: false, truncateSync: false, ftruncateSync: false };
  for (const [name, takes] of Object.entries({ ...takesRoom, ...others, fsyncSync: false })) {
    const call = fs[name];
    fs[name] = (...values) => {
      step(name, takes);
      return call(...values);
    };
  }
  const write = fs.writeSync;
  fs.writeSync = (fd, ...rest) => {
    if (fd > 2) step("write", true);
    return write(fd, ...rest);
  };
}
