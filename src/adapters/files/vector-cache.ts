import type { FilePort } from "../../core/notes/file-port.ts";
import type { VectorCache } from "../../core/recall/embedding-selector.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { VECTORS } from "./layout.ts";
import { unlessImpossible } from "./node-files.ts";

export interface VectorCachePlace {
  /** The store's state directory, absolute. */
  readonly state: string;
  /** Vectors of different embedders are not comparable. */
  readonly embedder: string;
  readonly files: Pick<FilePort, "read" | "stat" | "note" | "rename" | "append" | "remove" | "makeDirectory">;
}

/** Above this size the file starts again empty (bytes): changed descriptions leave their old vectors behind. */
const MOST_BYTES = 64 << 20;
/** Vectors are stored as integers from -127 to 127, which hardly changes the angle between them. */
const STEPS = 127;

/**
 * One file per store and embedder, one line per text: a hash of it and its vector. Several processes append; torn or
 * duplicate lines do no harm.
 */
export function openVectorCache({ state, embedder, files }: VectorCachePlace): VectorCache {
  const directory = `${state}/${VECTORS}`;
  const path = `${directory}/${sha256(embedder).slice(0, 16)}.jsonl`;
  let known: Map<string, Float32Array> | undefined;
  const load = (): Map<string, Float32Array> =>
    (known ??= unlessImpossible(() => readAll(files.read(path))) ?? new Map<string, Float32Array>());
  return {
    get: (text) => load().get(nameOf(text)),
    keep: (vectors) => {
      if (vectors.size === 0) return;
      for (const [text, vector] of vectors) load().set(nameOf(text), vector);
      unlessImpossible(() => {
        files.makeDirectory(directory);
        if ((files.stat(path)?.size ?? 0) > MOST_BYTES) files.remove(path);
        const lines = [...vectors].map(([text, vector]) =>
          JSON.stringify({ text: nameOf(text), vector: Buffer.from(stepsOf(vector)).toString("base64") }),
        );
        files.append(path, new TextEncoder().encode(`\n${lines.join("\n")}\n`));
      });
    },
  };
}

function nameOf(text: string): string {
  return sha256(text).slice(0, 32);
}

function stepsOf(vector: Float32Array): Int8Array {
  const most = vector.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round((value / most) * STEPS)));
}

function readAll(bytes: Uint8Array | undefined): Map<string, Float32Array> {
  const all = new Map<string, Float32Array>();
  if (bytes === undefined) return all;
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const [, text, vector] = /^\{"text":"([0-9a-f]{32})","vector":"([A-Za-z0-9+/=]+)"\}$/u.exec(line) ?? [];
    if (text !== undefined && vector !== undefined)
      all.set(text, Float32Array.from(new Int8Array(Buffer.from(vector, "base64"))));
  }
  return all;
}
