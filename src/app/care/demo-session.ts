import { fileURLToPath } from "node:url";

/** The recorded session that ships with memdir, and what is asked in the session after it. */
export function shippedSession(): { readonly path: string; readonly nextPrompt: string } {
  return {
    path: fileURLToPath(new URL("../../../demo/session.jsonl", import.meta.url)),
    nextPrompt: "add a chart to the latency dashboard",
  };
}
