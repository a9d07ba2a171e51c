/** Parts of the source whose tests must notice most, each with its files. */
export const AREAS = {
  "write path": [
    "src/adapters/files/{commit,merge,replace-file,node-files,reconcile,journal,layout,store,scan,reader,index-page,store-context}.ts",
    "src/adapters/sqlite/{lock,note-index,index-writer,index-schema,index-rows}.ts",
    "src/adapters/git/*.ts",
    "src/core/notes/{parse-note,index-file,frontmatter,names}.ts",
    "src/app/notes/{remember,revise,supersede,versions}.ts",
    "src/app/workspace/{transfer,transfer-records}.ts",
    "src/app/transfer/{transfers,undo}.ts",
  ],
  gates: [
    "src/core/capture/{gates,plan-capture,candidates}.ts",
    "src/core/notes/duplicates.ts",
    "src/core/capture/extract/{judge,proposal}.ts",
    "src/core/shared/{hidden,sanitize}.ts",
    "src/adapters/secrets/scanner.ts",
    "src/core/dream/duplicates.ts",
    "src/core/notes/compare.ts",
    "src/core/guards/*.ts",
  ],
  modes: [
    "src/app/workspace/{modes,decide-modes,scope-settings,groups}.ts",
    "src/app/capture/{capture-modes,review}.ts",
    "src/core/capture/review-queue.ts",
    "src/surfaces/cli/mode-gate.ts",
    "src/surfaces/cli/commands/mode.ts",
  ],
  forget: [
    "src/adapters/files/{forget,forgotten,recall-log}.ts",
    "src/app/notes/find-note.ts",
    "src/surfaces/cli/commands/forget.ts",
    "src/surfaces/mcp/tools/forget.ts",
  ],
  "capture's cursor": [
    "src/adapters/files/{capture-jobs,worker-state}.ts",
    "src/app/background/capture-{worker,jobs}.ts",
    "src/app/capture/capture-file.ts",
    "src/app/capture/capture-session.ts",
    "src/core/transcripts/{windows,capture-job}.ts",
  ],
  import: [
    "src/app/transfer/{import-archive,read-archive,archive-gate,import-days,import-sources,import-notes,export,exported}.ts",
    "src/app/transfer/{candidate,candidates-in}.ts",
    "src/adapters/archive/tar.ts",
    "src/surfaces/cli/commands/{import,import-archive}.ts",
  ],
};
