import files from "./secret-files.json" with { type: "json" };

/** Names of files that hold keys, as git patterns; such files are never shown to anyone. */
export const SECRET_FILES: readonly string[] = files;

const SECRET_NAME = new RegExp(
  `^(?:${SECRET_FILES.map((glob) => glob.replace(/[.+]/gu, "\\$&").replaceAll("*", ".*")).join("|")})$`,
  "iu",
);
const HARMLESS = /^\.env\.(?:example|sample|template|dist)$/iu;

/** Whether any part of a path names a place for keys. */
export function isSecretPath(path: string): boolean {
  return path.split(/[\\/]/u).some((part) => SECRET_NAME.test(part) && !HARMLESS.test(part));
}
