/**
 * memdir as a library: memory for coding agents as plain Markdown.
 *
 * ```ts
 * import { openMemory } from "memdir";
 *
 * const memory = openMemory({ cwd: process.cwd() });
 * await memory.remember({ type: "feedback", body: "Integration tests use the test container, never mocks." });
 * const { text, selected } = memory.recall("write integration tests for the importer");
 * memory.close();
 * ```
 */
export {
  type CapturedSession,
  type LateText,
  type Memory,
  type MemoryOptions,
  openMemory,
  type PromptRecall,
  type RecallOptions,
} from "./app/memory.ts";
export type { SessionInstructions } from "./app/instructions/instructions.ts";
export type {
  Agent,
  InstructionScope,
  InstructionSection,
  InstructionSet,
  LoadReason,
  NotLoaded,
  SectionFlag,
  WaitingRule,
} from "./core/instructions/section.ts";
export type { AgentChoice } from "./core/instructions/view.ts";
export type { ContextSection } from "./app/recall/context.ts";
export type { ListedNote, ShownNote } from "./app/notes/list.ts";
export type { RecalledNote, RecallOutcome } from "./app/recall/recall-notes.ts";
export type { RefinedRecall } from "./app/recall/refine-recall.ts";
export type { RememberInput, RememberResult } from "./app/notes/remember.ts";
export type { MemoryFiles } from "./app/notes/memory-files.ts";
export type { Revision, ReviseResult, WriteResult } from "./app/notes/revise.ts";
export type { UndoResult } from "./app/notes/versions.ts";
export type {
  JsonSchema,
  Model,
  ModelAnswer,
  ModelFailure,
  ModelFailureKind,
  ModelMessage,
  ModelRequest,
  ModelResult,
  TokenUsage,
} from "./core/models/model.ts";
export type { Verification, VerifiedNote, Verify } from "./app/recall/verify-notes.ts";
export type { Check, ClaimKind, Verdict } from "./core/notes/claims/claim.ts";
export type { Version } from "./core/notes/history.ts";
export type { Evidence, Note, NoteType, Scope } from "./core/notes/note.ts";
export type { ForgetReceipt, Headroom } from "./core/notes/store.ts";
export type { Transcript, Turn } from "./core/transcripts/turn.ts";
export { type Clock } from "./core/shared/clock.ts";
export { MemoryError, type MemoryErrorCode } from "./core/shared/errors.ts";
export type { CaptureOptions } from "./app/memory.ts";
export type { ParentRequest } from "./core/models/model.ts";
export type { PastOptions } from "./app/memory.ts";
export type { DreamCall, DreamStep, DreamtScope } from "./app/memory-dream.ts";
export type { Moment } from "./app/memory-as-of.ts";
export type { LoggedDay, LogInput, LogResult } from "./app/notes/log-entry.ts";
export type { LogEntry } from "./core/notes/daily-log.ts";
export type {
  CheckpointInput,
  Checkpoints,
  RestoredCheckpoint,
  SavedCheckpoint,
  SaveResult,
} from "./app/checkpoints/checkpoints.ts";
export type { Checkpoint, DirtyFile, GitState, SectionName } from "./core/checkpoints/checkpoint.ts";
