// Preloaded into the measured process: at its end it prints its peak memory in KB and its CPU time in seconds.
const fs = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`\ncost ${peakOfThis() ?? maxRSS} ${(userCPUTime + systemCPUTime) / 1e6}\n`);
});

/** On Linux `maxRSS` begins with the memory of the process that started this one; the peak in /proc does not. */
function peakOfThis() {
  try {
    return /VmHWM:\s*(\d+)/u.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1];
  } catch {
    return undefined; // another system
  }
}
