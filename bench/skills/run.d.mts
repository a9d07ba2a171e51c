export interface BenchGate {
  readonly name: string;
  readonly value: unknown;
  readonly holds: boolean;
}
export interface BenchResult {
  readonly rows: readonly { readonly family: string; readonly without: number; readonly with: number }[];
  readonly bad: readonly { readonly kind: string; readonly uses: number; readonly stage: string }[];
  readonly humans: number;
  readonly gates: readonly BenchGate[];
}
// oxlint-disable-next-line typescript/no-explicit-any
type Parts = Readonly<Record<string, any>>;
export declare const FAMILIES: readonly { readonly name: string }[];
export declare function benchSkills(
  load: (file: string) => Promise<unknown>,
  options?: {
    readonly families?: readonly { readonly name: string }[];
    readonly planted?: number;
    readonly isolated?: boolean;
    readonly change?: (parts: Parts) => Parts;
  },
): Promise<BenchResult>;
export declare function printBench(result: BenchResult, print?: (line: string) => void): void;
