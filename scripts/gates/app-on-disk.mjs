/**
 * Modules of the application layer that import adapters or Node directly, by folder. All others are as pure as core and
 * must stay so. The list only shrinks: access to the disk belongs behind a port.
 */
const MODULES = {
  workspace:
    "aliases approvals beside-notes checkouts forget-quotations groups locations note-count open-store open-workspace operation-records other-stores pending-transfers scope-settings settings settle-forgets saving skills-mode text-file transfer-records tree version",
  past: "past-sessions prompt-history search transcript",
  guards: "guard-approval guard-registry guard-trial judge-calls",
  models: "open-model",
  recall: "as-of note-triggers quick-recall side-queries",
  instructions: "instructions",
  "session-notes": "hook-session-notes session-notes",
  checkpoints: "checkpoint-notice checkpoint-shelf checkpoints save-automatically",
  capture: "capture-file capture-history extractor unjudged-sessions",
  transfer:
    "export hand-lines import-archive import-sources project-operations projects read-archive stayed-behind transfers",
  dream: "dream dream-schedule",
  skills: "ask candidates learn open-skills offer",
  server: "dream-job open-server",
  sync: "git-spaces key-files log-in open-transport pending quiet run-records run-space settling space-keys spaces sync-notice",
  background:
    "capture-jobs capture-status capture-worker hook-memory hook-process hook-session hook-trace sync-worker want-sync worker-mark",
  install: "install install-places install-state line-diff uninstall",
  care: "audit-notes doctor forget state-size",
};

export const APP_ON_DISK = Object.entries(MODULES).flatMap(([folder, names]) =>
  names.split(" ").map((name) => (folder === "." ? `src/app/${name}.ts` : `src/app/${folder}/${name}.ts`)),
);
