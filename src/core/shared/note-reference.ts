/** The reference that `memdir show` accepts: a file name in the project, otherwise with the scope. */
export function noteReference({ scope, file }: { readonly scope: string; readonly file: string }): string {
  return scope === "project" ? file : `${scope}:${file}`;
}
