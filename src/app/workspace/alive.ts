/** Whether a process of this number runs, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
