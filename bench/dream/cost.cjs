// Preloaded into the measured process: at its end it prints what the kernel counted for it.
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(`\ncost ${maxRSS} ${(userCPUTime + systemCPUTime) / 1e6}\n`);
});
