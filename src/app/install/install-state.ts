import fs from "node:fs";
import { FOUND_CLIENTS, type Installable, type InstallScope } from "./targets.ts";
import { readSettingsFile } from "../../adapters/files/settings-file.ts";
import { clientTitle, editorOf, type InstallPlace, targets } from "./install.ts";

/** memdir's entries in the settings of one client. */
export interface Installed {
  readonly agent: Installable;
  readonly scope: InstallScope;
  /** What is installed: hooks, plugin, MCP server. */
  readonly parts: readonly string[];
  /** Paths in these entries that no longer exist. */
  readonly missing: readonly string[];
}

/** Where memdir is installed for this user and project, according to the clients' own files. */
export function installedAgents(place: InstallPlace): readonly Installed[] {
  return FOUND_CLIENTS.flatMap((agent) =>
    (["user", "project"] as const).flatMap((scope) => {
      const found = targets(place, agent, scope).flatMap((target) => {
        const read = readSettingsFile(target.file);
        const own =
          read.state === "read" ? editorOf(agent, target).find(new TextDecoder().decode(read.bytes)) : undefined;
        // Invalid settings are for the client to report; memdir cannot tell if it has entries in them.
        return own?.ok === true && own.entries.length > 0
          ? [{ what: target.what, paths: own.entries.flatMap(({ paths }) => paths) }]
          : [];
      });
      const paths = [...new Set(found.flatMap((one) => one.paths))];
      return found.length === 0
        ? []
        : [
            {
              agent,
              scope,
              parts: found.map(({ what }) => what),
              missing: paths.filter((file) => !fs.existsSync(file)),
            },
          ];
    }),
  );
}

/** One line for `status`; `problem` says what is wrong. */
export function installedLine(all: readonly Installed[]): {
  readonly text: string;
  readonly problem: string | undefined;
} {
  const text =
    all.length === 0
      ? "not connected to an agent; `memdir install` connects it"
      : all
          .map(
            ({ agent, scope, parts }) =>
              `${clientTitle(agent)} (${scope === "user" ? "" : "this project, "}${parts.join(", ")})`,
          )
          .join("; ");
  const broken = all.filter(({ missing }) => missing.length > 0);
  if (broken.length === 0) return { text, problem: undefined };
  const names = broken.map(({ agent }) => clientTitle(agent));
  const missing = [...new Set(broken.flatMap((one) => one.missing))];
  const verb = missing.length === 1 ? "is" : "are";
  return {
    text,
    problem: `${missing.join(" and ")} ${verb} not there, and ${[...new Set(names)].join(", ")} would run ${missing.length === 1 ? "it" : "them"}; \`memdir install ${[...new Set(broken.map(({ agent }) => agent))].join(" ")}\` fixes that`,
  };
}
