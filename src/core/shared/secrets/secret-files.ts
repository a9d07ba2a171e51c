import files from "./secret-files.json" with { type: "json" };

/** Files that hold keys by their name, as git's patterns; they are never shown, whoever asks. */
export const SECRET_FILES: readonly string[] = files;

const SECRET_NAME = new RegExp(
  `^(?:${SECRET_FILES.map((glob) => glob.replace(/[.+]/gu, "\\$&").replaceAll("*", ".*")).join("|")})$`,
  "iu",
);
const HARMLESS = /^\.env\.(?:example|sample|template|dist)$/iu;

/** Whether a part of a path says that keys are kept there. */
export function isSecretPath(path: string): boolean {
  return path.split(/[\\/]/u).some((part) => SECRET_NAME.test(part) && !HARMLESS.test(part));
}
