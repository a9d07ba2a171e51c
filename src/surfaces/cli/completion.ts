import { actionsOf, type CommandSpec, type OptionSpec } from "./command.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell script that completes commands, options and their values, generated from the catalogue. */
export function completionScript(
  shell: Shell,
  commands: readonly CommandSpec[],
  taken: (command: CommandSpec) => Readonly<Record<string, OptionSpec>>,
): string {
  return SCRIPTS[shell](commands.map((command) => ({ ...command, options: taken(command) })));
}

type Commands = readonly CommandSpec[];

const SCRIPTS: Readonly<Record<Shell, (commands: Commands) => string>> = { bash, zsh, fish, powershell };

interface Word {
  readonly word: string;
  readonly summary: string;
}

const BUILT_IN: readonly Word[] = [
  { word: "help", summary: "show the commands, or explain one" },
  { word: "version", summary: "print the version" },
];

function commandWords(commands: Commands): readonly Word[] {
  return [...commands.map(({ name, summary }) => ({ word: name, summary })), ...BUILT_IN];
}

function optionsOf(command: CommandSpec): readonly (readonly [string, OptionSpec])[] {
  return Object.entries(command.options);
}

function namesOf({ name, aliases }: CommandSpec): readonly string[] {
  return [name, ...(aliases ?? [])];
}

/** If no values are known, the shell completes files. */
function takesValue([, { type }]: readonly [string, OptionSpec]): boolean {
  return type === "string";
}

function bash(commands: Commands): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const values = options
      .filter(([, { values: given }]) => given !== undefined)
      .map(([name, { values: given }]) => `        --${name}) reply="${(given ?? []).join(" ")}" ;;`);
    const other = options.filter((one) => takesValue(one) && one[1].values === undefined).map(([name]) => `--${name}`);
    return `    ${namesOf(command).join("|")})
      options="${options.map(([name]) => `--${name}`).join(" ")}"
      actions="${actionsOf(command).join(" ")}"
      case "$previous" in
${[...values, `        ${other.join("|")}) return ;;`].join("\n")}
      esac
      ;;`;
  });
  return `# bash completion for memdir; in ~/.bashrc: eval "$(memdir completion bash)"
_memdir() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" options="" actions="" reply=""
  COMPREPLY=()
  if [ "$current" = "=" ]; then current=""; elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commandWords(commands)
      .map(({ word }) => word)
      .join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    help) actions="${commands.map(({ name }) => name).join(" ")}"; options="--all --json" ;;
    version) options="--json" ;;
  esac
  if [ -n "$reply" ]; then COMPREPLY=($(compgen -W "$reply" -- "$current")); return; fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *)
      if [ "$COMP_CWORD" -eq 2 ] && [ -n "$actions" ]; then COMPREPLY=($(compgen -W "$actions" -- "$current")); fi
      ;;
  esac
}
complete -o default -F _memdir memdir
`;
}

/** Quotes text with single quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes text with single quotes for zsh, in a place where brackets and colons have a meaning. */
function quotedForZsh(text: string): string {
  return quoted(text.replace(/[[\]:\\]/gu, "\\$&"));
}

function zsh(commands: Commands): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command).map(([name, option]) => {
      const value = option.type === "boolean" ? "" : `:${option.value ?? "VALUE"}:${zshValues(option)}`;
      const repeat = option.multiple === true ? "'*'" : "";
      return `        ${repeat}${quoted(`--${name}${option.type === "boolean" ? "" : "="}[`)}${quotedForZsh(option.summary)}${quoted(`]${value}`)}`;
    });
    const first =
      command.actions === undefined
        ? []
        : [
            `        ${quoted(`1:action: _alternative "actions:action:(${actionsOf(command).join(" ")})" "files:file:_files"`)}`,
          ];
    return `      ${namesOf(command).join("|")})
        _arguments \\
${[...options, ...first, "        '*:file:_files'"].join(" \\\n")} ;;`;
  });
  return `#compdef memdir
# zsh completion for memdir; in ~/.zshrc, after compinit: eval "$(memdir completion zsh)"
_memdir() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
${commandWords(commands)
  .map(({ word, summary }) => `    ${quoted(word.replace(/:/gu, "\\:"))}:${quoted(summary)}`)
  .join("\n")}
  )
  _arguments -C '1: :->command' '*:: :->arguments' && return
  case $state in
    command) _describe command commands ;;
    arguments)
      case $words[1] in
${cases.join("\n")}
      help) _describe command commands ;;
      esac ;;
  esac
}
compdef _memdir memdir
`;
}

function zshValues({ values }: OptionSpec): string {
  return values === undefined ? "_files" : `(${values.join(" ")})`;
}

function fish(commands: Commands): string {
  const rows = commands.flatMap((command) => {
    const seen = `-n '__fish_seen_subcommand_from ${namesOf(command).join(" ")}'`;
    const options = optionsOf(command).map(([name, option]) => {
      const value =
        option.type === "boolean" ? "" : option.values === undefined ? " -r" : ` -x -a '${option.values.join(" ")}'`;
      return `complete -c memdir ${seen} -l ${name}${value} -d ${quotedForFish(option.summary)}`;
    });
    const actions =
      command.actions === undefined ? [] : [`complete -c memdir ${seen} -a '${actionsOf(command).join(" ")}'`];
    return [...options, ...actions];
  });
  const names = commandWords(commands).map(
    ({ word, summary }) => `complete -c memdir -n __fish_use_subcommand -f -a ${word} -d ${quotedForFish(summary)}`,
  );
  return `# fish completion for memdir; save as ~/.config/fish/completions/memdir.fish
${[...names, ...rows].join("\n")}
complete -c memdir -n '__fish_seen_subcommand_from help' -f -a '${commands.map(({ name }) => name).join(" ")}'
`;
}

function quotedForFish(text: string): string {
  return `'${text.replace(/['\\]/gu, "\\$&")}'`;
}

function powershell(commands: Commands): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const values = options
      .filter(([, { values: given }]) => given !== undefined)
      .map(([name, { values: given }]) => `'--${name}' = ${quotedList(given ?? [])}`);
    return `  ${quotedList(namesOf(command))} | ForEach-Object { $commands[$_] = @{ options = ${quotedList(options.map(([name]) => `--${name}`))}; actions = ${quotedList(actionsOf(command))}; values = @{ ${values.join("; ")} } } }`;
  });
  return `# PowerShell completion for memdir; in $PROFILE: memdir completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName memdir -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $names = ${quotedList(commandWords(commands).map(({ word }) => word))}
  $commands = @{}
${cases.join("\n")}
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $before = if ($wordToComplete -eq '') { $words.Count } else { $words.Count - 1 }
  $known = if ($words.Count -gt 1) { $commands[$words[1]] }
  $previous = if ($before -gt 0) { $words[$before - 1] }
  $found = if ($before -le 1) { $names }
    elseif ($words[1] -eq 'help') { $names }
    elseif ($known -and $known.values.ContainsKey($previous)) { $known.values[$previous] }
    elseif ($known -and $wordToComplete -like '-*') { $known.options }
    elseif ($known -and $before -eq 2) { $known.actions }
  $found | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

function quotedList(words: readonly string[]): string {
  return `@(${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", ")})`;
}
