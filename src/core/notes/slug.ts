/**
 * The directory name that Claude Code gives a path: every character outside `[A-Za-z0-9]` becomes
 * `-`; over 200 characters it is cut and completed with a hash of the original path (observed with
 * Claude Code 2.1.330). Notes use the git root's slug, transcripts the working directory's.
 */
export function slugOf(path: string): string {
  const slug = path.replace(/[^A-Za-z0-9]/g, "-");
  return slug.length <= 200 ? slug : `${slug.slice(0, 200)}-${hash(path)}`;
}

function hash(path: string): string {
  let h = 0;
  for (let i = 0; i < path.length; i++) h = ((h << 5) - h + path.charCodeAt(i)) | 0;
  return Math.abs(h).toString(36);
}
