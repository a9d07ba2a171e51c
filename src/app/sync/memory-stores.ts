import { MemoryError } from "../../core/shared/errors.ts";
import { isOpenAddress } from "../../core/shared/open-address.ts";
import type { Environment } from "../workspace/locations.ts";

const PREFIX = "anthropic:";
const HOSTED = "https://api.anthropic.com";

/**
 * A store of the memory API as a remote: `anthropic:STORE`, or `anthropic:STORE@URL` for one that is elsewhere. A slip in
 * the first word is one too, and not the name of a host for git.
 */
export function isMemoryRemote(remote: string): boolean {
  return remote.startsWith(PREFIX) || /^(?:[A-Za-z]+:)?memstore_[A-Za-z0-9]+(?:@|$)/u.test(remote);
}

/**
 * The remote with its address: where the environment says it is elsewhere, that is written down, so that a later run
 * with another environment sends the notes to no other place. @throws MemoryError `invalid-input`
 */
export function memoryRemote(remote: string, environment: Environment): string {
  const { store, url } = partsOf(remote, environment["ANTHROPIC_BASE_URL"] || HOSTED);
  if (isOpenAddress(url))
    throw new MemoryError("invalid-input", `${url} would get the key in the open; give an https address`);
  if (/^https?:\/\/[^/]*@/iu.test(url))
    throw new MemoryError("invalid-input", "the address holds a name or password; the key is ANTHROPIC_API_KEY");
  return url === HOSTED ? `${PREFIX}${store}` : `${PREFIX}${store}@${url}`;
}

function partsOf(remote: string, usual: string): { readonly store: string; readonly url: string } {
  const [, store, url = usual] = /^anthropic:(memstore_[A-Za-z0-9]{1,64})(?:@(https?:\/\/.+))?$/iu.exec(remote) ?? [];
  if (store === undefined)
    throw new MemoryError(
      "invalid-input",
      `"${remote}" is not the address of a store; write anthropic:memstore_… or …@https://HOST`,
    );
  return { store, url: url.replace(/\/+$/u, "") };
}

export interface MemoryRemote {
  readonly remote: string;
  readonly environment: Environment;
  /** What a file given for it holds. */
  readonly token: string | undefined;
}

/** @throws MemoryError `not-found` where there is no key. */
export function memoryPlace({ remote, environment, token }: MemoryRemote): {
  readonly store: string;
  readonly url: string;
  readonly key: string;
} {
  const key = token ?? environment["ANTHROPIC_API_KEY"] ?? "";
  if (key === "")
    throw new MemoryError(
      "not-found",
      "there is no key for the store: set ANTHROPIC_API_KEY, or set sync up with --token-file so that it also runs where that is not set",
    );
  return { ...partsOf(remote, HOSTED), key };
}

/** What sync keeps of a store beside what it keeps of every remote; goes with it. */
export const MEMORY_STORE_FILES = ["memory-store.json", "memory-lineages"] as const;
