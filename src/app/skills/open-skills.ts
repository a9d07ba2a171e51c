import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { openSkillFolders, type SkillFolders } from "../../adapters/files/skill-folders.ts";
import { openSkillStore } from "../../adapters/files/skill-store.ts";
import { openGitArchive } from "../../adapters/git/archive.ts";
import { type CheckRunner, openCheckRunner } from "../../adapters/processes/isolated-check.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { SkillStore } from "../../core/skills/store.ts";
import type { SkillScope } from "../../core/skills/types.ts";
import type { Locations } from "../workspace/locations.ts";
import { readSkillSettings, type SkillSettings, type SkillsPlace, skillsPlace } from "../workspace/skills-mode.ts";

/** The parts that operations on skills use. */
export interface Skills {
  readonly locations: Locations;
  readonly place: SkillsPlace;
  readonly store: SkillStore;
  readonly folders: SkillFolders;
  readonly checks: CheckRunner;
  readonly codec: FrontmatterCodec;
  readonly clock: Clock;
  readonly settings: () => SkillSettings;
  /** Absolute path of a scope's directory. */
  readonly directoryOf: (scope: SkillScope) => string | undefined;
  readonly readText: (file: string) => string | undefined;
  readonly listFiles: (directory: string) => readonly string[];
  /** Replaces a small file of memdir's own at once. */
  readonly putText: (file: string, text: string) => void;
  readonly removeFile: (file: string) => void;
}

export interface SkillsOptions {
  readonly clock: Clock;
  readonly files?: FilePort;
}

/** Creates nothing before the first write. */
export function openSkills(locations: Locations, { clock, files = nodeFiles }: SkillsOptions): Skills {
  const place = skillsPlace(locations);
  const settings = (): SkillSettings => readSkillSettings(locations.memdirHome);
  const directories: readonly (readonly [SkillScope, string | undefined])[] = [
    ["project", place.project],
    ["user", place.user],
  ];
  const store = openSkillStore({
    root: place.root,
    places: directories.flatMap(([scope, directory]) =>
      directory === undefined
        ? []
        : [
            {
              scope,
              directory,
              archive: locations.hasGit()
                ? openGitArchive(`${directory}/history.git`, locations.environment)
                : undefined,
            },
          ],
    ),
    files,
    lock: createSqliteLock(`${place.root}/lock.db`),
    codec: yamlFrontmatter,
    settings: () => ({ now: clock.now(), mode: settings().mode }),
  });
  const text = (file: string): string | undefined => {
    const bytes = files.stat(file)?.kind === "file" ? files.read(file) : undefined;
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };
  return {
    locations,
    place,
    store,
    folders: openSkillFolders({
      home: locations.home,
      configDirectory: locations.configDirectory,
      project: locations.project?.checkout,
      record: `${place.root}/published.json`,
      files,
      codec: yamlFrontmatter,
    }),
    checks: openCheckRunner(locations.environment),
    codec: yamlFrontmatter,
    clock,
    settings,
    directoryOf: (scope) => (scope === "user" ? place.user : place.project),
    readText: text,
    listFiles: (directory) =>
      (files.list(directory) ?? []).filter(({ kind }) => kind === "file").map(({ name }) => name),
    putText(file, content) {
      files.makeDirectory(file.slice(0, file.lastIndexOf("/")));
      putFile(file, content, { files, aside: `${file}.tmp`, named: true });
    },
    removeFile: (file) => files.remove(file),
  };
}
