export interface CallWritten {
  readonly command?: string;
  readonly edit?: string;
  readonly read?: string;
  readonly output?: string;
  readonly failed?: boolean;
  readonly rejected?: boolean;
}
export interface ExchangeWritten {
  readonly prompt: string;
  readonly calls: readonly CallWritten[];
  readonly answer?: string;
  readonly interrupted?: boolean;
}
export interface SessionWritten {
  readonly session: string;
  readonly cwd: string;
  readonly startMs: number;
  readonly exchanges: readonly ExchangeWritten[];
}
export type Dialect = "claude-code" | "codex" | "gemini" | "opencode";
export declare const DIALECTS: readonly Dialect[];
export declare function writeSession(dialect: Dialect, session: SessionWritten): string;
