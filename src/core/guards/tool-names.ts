/** Clients call the same tool by different names; a guard for one of them speaks of all. Lower case. */
const KINDS: readonly (readonly string[])[] = [
  ["bash", "run_shell_command", "shell", "local_shell", "shell_command", "exec_command"],
  ["read", "read_file"],
  ["write", "write_file"],
  ["edit", "multiedit", "replace", "apply_patch"],
  ["glob", "find_files"],
  ["grep", "grep_search", "search_file_content"],
  ["webfetch", "web_fetch"],
  ["websearch", "web_search", "google_web_search"],
];

/** Whether a name or glob (`*`, `?`, alternatives with `|`) stands for a client's tool. */
export function toolMatches(wanted: string, tool: string): boolean {
  const name = tool.toLowerCase();
  const names = KINDS.find((kind) => kind.includes(name)) ?? [name];
  return wanted.toLowerCase().split("|").some((glob) => names.some((one) => globMatches(glob.trim(), one)));
}

/** Never goes back further than to the last star: linear enough for whatever somebody writes. */
function globMatches(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumed = 0;
  let position = 0;
  while (position < name.length) {
    if (at < glob.length && (glob[at] === "?" || glob[at] === name[position]) && glob[at] !== "*") {
      at++;
      position++;
    } else if (glob[at] === "*") {
      star = at++;
      resumed = position;
    } else if (star !== -1) {
      at = star + 1;
      position = ++resumed;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
