import fs from "node:fs";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import type { KeptFiles } from "../../adapters/http-sync/memory-snapshots.ts";
import {
  findOrMakeSpace,
  type SpaceName,
  askReceipts,
  type SpaceReceipts,
  httpTransport,
} from "../../adapters/http-sync/transport.ts";
import { openSyncBase } from "../../adapters/sqlite/sync-base.ts";
import { checkMemoryStore, memoryTransport } from "../../adapters/http-sync/memory-transport.ts";
import { openGitRemote } from "../../adapters/git/sync/sync-remote.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { START, type NoAnswer, type Transport } from "../../core/sync/transport.ts";
import { branchOf } from "./git-spaces.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { syncStateIn } from "../workspace/settle-forgets.ts";
import type { Heard } from "./quiet.ts";
import type { OpenSpaceKeys } from "./space-keys.ts";
import { keysOf } from "./space-wire.ts";
import { memoryPlace } from "./memory-stores.ts";
import { type SyncedSpace, tokenIn } from "./spaces.ts";

export interface SpaceTransport extends Transport {
  /** Completes a run and returns notices for the user. `isWhole`: the run reached its end. */
  readonly finish?: (isWhole: boolean) => Promise<readonly string[]>;
}

interface TransportParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly heard?: Heard | undefined;
}

/** The transport for a space, by its kind. @throws MemoryError if the token cannot be read. */
export function openTransport(space: SyncedSpace, { environment, clock, heard }: TransportParts): SpaceTransport {
  const answer = heard?.get(space.directory);
  if (space.kind === "server") {
    const transport = httpTransport({ url: space.remote, space: space.space, token: tokenIn(space.tokenFile) });
    return acknowledged(
      answer === undefined || answer.outcome === "head" ? transport : answeredOnce(transport, answer),
    );
  }
  const { remote, state, proposals } = space;
  if (space.kind === "store")
    return memoryTransport(
      memoryPlace({ remote, environment, token: tokenIn(space.tokenFile) }),
      filesIn(`${state}/sync`),
    );
  return openGitRemote({
    remote,
    branch: branchOf(space.space),
    directory: `${state}/sync`,
    environment,
    clock,
    ...(answer !== undefined && { heard: answer }),
    ...(proposals !== undefined && { proposals }),
  });
}

/**
 * Tells the server at the end of a run that what was pulled is applied. Otherwise `devices` and `receipts` would show
 * this device as behind until its next run.
 */
function acknowledged(transport: Transport): SpaceTransport {
  let [applied, told] = [START, START];
  return {
    ...transport,
    async pull(request) {
      const answer = await transport.pull(request);
      told = request.cursor;
      if (answer.outcome === "page") applied = answer.next;
      return answer;
    },
    async push(pushId, changes) {
      const answer = await transport.push(pushId, changes);
      if (answer.outcome === "pushed" && answer.prev === applied) {
        // The server takes a device that had told it everything to have its own push too.
        if (told === applied) told = answer.head;
        applied = answer.head;
      }
      return answer;
    },
    async finish(isWhole) {
      // If it fails, the next run tells the server.
      if (isWhole && told !== applied) await transport.pull({ cursor: applied, tops: [], limit: 1 });
      return [];
    },
  };
}

/** Gives the failed answer of the server that is already known once, instead of waiting for it again. */
function answeredOnce(transport: Transport, answer: NoAnswer): Transport {
  let isFirst = true;
  return {
    ...transport,
    pull(request) {
      const isKnown = isFirst;
      isFirst = false;
      return isKnown ? Promise.resolve(answer) : transport.pull(request);
    },
  };
}

/** How far the devices of a space have synced. @throws MemoryError `unavailable` if the server does not say. */
export async function receiptsOf({ remote, space, tokenFile }: SyncedSpace): Promise<SpaceReceipts> {
  const answer = await askReceipts({ url: remote, space, token: tokenIn(tokenFile) });
  if (answer.outcome === "receipts") return answer;
  throw new MemoryError("unavailable", answer.message);
}

/** Whether other users of this machine may read a token. */
export function isOpenToOthers(tokenFile: string): boolean {
  const mode = fs.statSync(tokenFile, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

/** The id of a named store. @throws MemoryError `unavailable`; `not-found` without a key. */
export async function namedStore(
  remote: string,
  tokenFile: string | undefined,
  environment: TransportParts["environment"],
): Promise<string> {
  const place = memoryPlace({ remote, environment, token: tokenIn(tokenFile) });
  const answer = await checkMemoryStore(place);
  if (answer.outcome === "there") return place.store;
  throw new MemoryError("unavailable", `${answer.message.replace(/\.$/u, "")}; nothing was set up`);
}

/** Additional files that sync keeps for a store. */
function filesIn(directory: string): KeptFiles {
  return {
    read(name) {
      const bytes = nodeFiles.read(`${directory}/${name}`);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    },
    replace: (name, text) => putFile(`${directory}/${name}`, text),
    append: (name, line) => nodeFiles.append(`${directory}/${name}`, new TextEncoder().encode(line)),
  };
}

/** The server's id of a space. @throws MemoryError `unavailable` if the server does not give it. */
export async function serverSpace(url: string, tokenFile: string | undefined, name: SpaceName): Promise<string> {
  const answer = await findOrMakeSpace({ url, token: tokenIn(tokenFile) }, name);
  if (answer.outcome === "space" && answer.isSealed === name.isEncrypted) return answer.id;
  if (answer.outcome === "space")
    throw new MemoryError(
      "refused",
      `${url} has ${name.kind}:${name.name} ${answer.isSealed ? "encrypted; add --encrypt" : "without encryption; name another space with --space"}. Nothing was set up`,
    );
  throw new MemoryError(
    "unavailable",
    `${answer.message.replace(/\.$/u, "")}. Nothing was set up. Check the address, that the server runs, and that the file of --token-file holds its token`,
  );
}

const OTHER_RUN_MS = 30_000;

/** Works on the keys of a space. It excludes sync runs of the space meanwhile, because both write the key state. */
export async function withKeys<T>(
  workspace: Pick<OpenWorkspace, "locations" | "clock">,
  space: SyncedSpace,
  work: (keys: OpenSpaceKeys) => Promise<T>,
): Promise<T> {
  const { locations, clock } = workspace;
  const base = openSyncBase(syncStateIn(space.state), OTHER_RUN_MS);
  try {
    const transport = openTransport(space, { environment: locations.environment, clock });
    return await work(keysOf(workspace, space, transport));
  } finally {
    base.close();
  }
}
