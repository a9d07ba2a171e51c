/** Whether a process with this id is running, including other users' processes. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // `EPERM`: another user's process is running.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
