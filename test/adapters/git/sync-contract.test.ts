import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { openGitRemote } from "../../../src/adapters/git/sync/sync-remote.ts";
import { describeTransport } from "../../contracts/transport.ts";
import { scratch } from "../../support/scratch.ts";

describeTransport("a branch of a git repository", () => {
  const root = scratch();
  const remote = `${root}/remote Jané Döe.git`;
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  let devices = 0;
  return {
    connect() {
      const directory = `${root}/device ${(devices += 1)}/sync`;
      fs.mkdirSync(directory, { recursive: true });
      return openGitRemote({
        remote,
        branch: "memdir/user",
        directory,
        environment: { PATH: process.env["PATH"], HOME: root },
        clock: { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" },
      });
    },
    backup() {
      const copy = `${root}/backup.git`;
      fs.cpSync(remote, copy, { recursive: true });
      return () => {
        fs.rmSync(remote, { recursive: true });
        fs.cpSync(copy, remote, { recursive: true });
      };
    },
  };
});
