/**
 * What is wrong with a command line that Node's `parseArgs` refused, without a full stop. `unknown` says what to do about
 * an option that there is not.
 */
export function argumentProblem(error: TypeError, unknown: (option: string) => string): string {
  const option = /'(-[^' ]*)/u.exec(error.message)?.[1] ?? "";
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return unknown(option);
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return `unexpected argument "${/'([^']*)'/u.exec(error.message)?.[1] ?? ""}"`;
  if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return error.message;
  return error.message.includes("does not take")
    ? `${option} takes no value`
    : `${option} needs a value; write ${option}=VALUE if it begins with a dash`;
}
