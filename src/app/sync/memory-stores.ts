import { MemoryError } from "../../core/shared/errors.ts";
import { isOpenAddress } from "../../core/shared/open-address.ts";
import type { Environment } from "../workspace/locations.ts";

const PREFIX = "anthropic:";
const HOSTED = "https://api.anthropic.com";

/**
 * Whether a remote is a store of the memory API: `anthropic:STORE`, or `anthropic:STORE@URL` for another host. A typo
 * in the first word counts too, so that git does not take it for a host name.
 */
export function isMemoryRemote(remote: string): boolean {
  return remote.startsWith(PREFIX) || /^(?:[A-Za-z]+:)?memstore_[A-Za-z0-9]+(?:@|$)/u.test(remote);
}

/**
 * The remote with its address. An address from the environment is stored with it, so that a later run in another
 * environment does not send the notes elsewhere. @throws MemoryError `invalid-input`
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
  /** The content of its token file. */
  readonly token: string | undefined;
}

/** @throws MemoryError `not-found` without a key. */
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

/** Additional files that sync keeps for a store; removed together with the rest. */
export const MEMORY_STORE_FILES = ["memory-store.json", "memory-lineages"] as const;
