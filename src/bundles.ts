import type * as Commands from "./commands.ts";
import { loadKept } from "./kept-code.ts";
import type * as Reader from "./reader.ts";
import type * as Sync from "./sync.ts";
import type * as Hooks from "./surfaces/hooks/hook-main.ts";
import type * as Shell from "./surfaces/hooks/hook-shell.ts";
import type * as Server from "./surfaces/mcp/mcp.ts";
import type * as Page from "./surfaces/web/web.ts";

/** The bundles next to the two commands, each with one typed entry, evaluated on first use. */
export const hooks = (): typeof Hooks => loadKept("hooks");
export const reader = (purpose: string): typeof Reader => loadKept("reader", `reader-${purpose}`);
export const quietSync = (): typeof Sync => loadKept("sync");
export const shell = (): typeof Shell => loadKept("shell");
export const commands = (purpose = "commands"): typeof Commands => loadKept("commands", purpose);
export const server = (): typeof Server => loadKept("mcp");
export const page = (): typeof Page => loadKept("web");
