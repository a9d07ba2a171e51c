/** The environment without the variables that redirect git: the caller may run inside one of git's own hooks. */
export function withoutGitVariables(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("GIT_"),
    ),
  );
}
