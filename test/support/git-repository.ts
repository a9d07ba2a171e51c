import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { devNull } from "node:os";
import path from "node:path";

/** A repository in a scratch directory, using the real git with its own settings. */
export interface Repository {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(file: string, text: string | Uint8Array): void;
  /** Commits everything as it is now. */
  commit(message?: string): string;
}

export function gitIn(root: string): Repository {
  const git = (...args: readonly string[]): string =>
    execFileSync(
      "git",
      [
        "-c",
        "user.name=dev",
        "-c",
        "user.email=dev@example.com",
        "-c",
        "protocol.file.allow=always",
        "-c",
        "commit.gpgsign=false",
        ...args,
      ],
      {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env["PATH"],
          HOME: root,
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: devNull,
          GIT_COMMITTER_DATE: "2026-03-02T09:00:00Z",
          GIT_AUTHOR_DATE: "2026-03-02T09:00:00Z",
        },
      },
    ).trim();
  return {
    root,
    git,
    write(file, text) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), text);
    },
    commit(message = "change") {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "--short", "HEAD");
    },
  };
}

export function newRepository(root: string): Repository {
  fs.mkdirSync(root, { recursive: true });
  const repository = gitIn(root);
  repository.git("init", "--quiet", "--initial-branch=main", ".");
  return repository;
}
