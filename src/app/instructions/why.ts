import { join, parentOf } from "../../core/instructions/paths.ts";
import type { ClientView, Place } from "../../core/instructions/clients/client.ts";
import type { InstructionSection, InstructionSet, NotLoaded } from "../../core/instructions/section.ts";

export interface Explanation {
  readonly path: string;
  readonly state: "loaded" | "on-demand" | "waiting" | "pending" | "excluded" | "unreadable" | "not-loaded";
  /** The deciding rule, in one sentence. */
  readonly why: string;
}

/** Why a file is or is not in a session's context. `set` is what the view has loaded so far. */
export function explain(place: Place, view: ClientView, set: InstructionSet, path: string): Explanation {
  const real = place.files.realPath(path);
  const same = (entry: { readonly path: string }): boolean =>
    entry.path === path || (real !== undefined && place.files.realPath(entry.path) === real);
  const section = set.sections.find(same);
  if (section !== undefined) return { path, state: "loaded", why: whyLoaded(section) };
  const lists: readonly (readonly [Explanation["state"], readonly NotLoaded[]])[] = [
    ["pending", set.pending],
    ["excluded", set.excluded],
    ["unreadable", set.unreadable],
  ];
  for (const [state, entries] of lists) {
    const entry = entries.find(same);
    if (entry !== undefined)
      return {
        path,
        state,
        why: `${entry.why}${entry.importedBy === undefined ? "" : ` (imported by ${entry.importedBy})`}`,
      };
  }
  const rule = set.waiting.find(same);
  if (rule !== undefined)
    return {
      path,
      state: "waiting",
      why: `a rule that loads when a file matches its paths (${rule.paths.join(", ")}), seen from ${rule.base}`,
    };
  if (real === undefined)
    return {
      path,
      state: "not-loaded",
      why:
        place.files.kind(path) === undefined
          ? "there is no such file"
          : "a symbolic link that leads nowhere or in a circle",
    };
  const demanded = view.touched([join(parentOf(path), "any-file-here")]).sections.find(same);
  if (demanded !== undefined)
    return { path, state: "on-demand", why: `it loads when a file in ${parentOf(path)} is read` };
  return {
    path,
    state: "not-loaded",
    why: `the client looks for no file of that name there, and no loaded file imports it`,
  };
}

function whyLoaded({ scope, reason, importedBy, touched, paths }: InstructionSection): string {
  if (importedBy !== undefined) return `${importedBy} imports it`;
  if (reason === "path-glob-match")
    return `a rule whose paths (${(paths ?? []).join(", ")}) match ${touched ?? "a touched file"}`;
  if (reason === "nested-traversal") return `it stands in a directory on the way to ${touched ?? "a touched file"}`;
  return `a ${scope} file that loads at the start of every session`;
}
