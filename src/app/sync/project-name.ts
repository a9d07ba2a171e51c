import { sha256 } from "../../core/shared/hash.ts";
import type { ProjectIdentity } from "../../core/notes/project.ts";
import { identitiesOf } from "../workspace/checkouts.ts";

const LONGEST = 40;

/** `shop-1a2b3c4d5e6f`: the same in every checkout with the same `origin`, whatever the path; else the directory's name. */
export function projectName(project: ProjectIdentity | undefined): string {
  const remote = project === undefined ? undefined : identitiesOf(project).find((one) => one.startsWith("remote "));
  const last = (remote ?? project?.root ?? "here").split(/[/\\:]/u).findLast((part) => part !== "") ?? "here";
  const plain = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .slice(0, LONGEST);
  return remote === undefined ? plain : `${plain}-${sha256(remote).slice(0, 12)}`;
}
