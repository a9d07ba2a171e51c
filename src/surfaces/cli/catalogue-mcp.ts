import type { CommandSpec } from "./command.ts";

/** The server for agents; started before the full command line is loaded, so this gives its help. */
export const MCP_COMMANDS: readonly CommandSpec[] = [
  {
    name: "mcp", group: "main", usage: "[--profile NAME | --tools LIST] [--http [--port N] [--token-file FILE] [--project DIR…]]", positionals: 0,
    summary: "serve memory to an agent over the Model Context Protocol",
    details: "Speaks over standard input and output and ends with them. With --http it listens on 127.0.0.1 alone and wants a token, which is made at the first start, shown once and kept in ~/.memdir/mcp-token. See docs/mcp.md.",
    options: {
      profile: { type: "string", value: "NAME", summary: "full, minimal (recall, remember, read) or read-only" },
      tools: { type: "string", value: "LIST", summary: "just these, with commas: recall,read" },
      http: { type: "boolean", summary: "listen on 127.0.0.1 instead" },
      port: { type: "string", value: "N", summary: "with --http; 0 takes a free one (default 7332)" },
      "token-file": { type: "string", value: "FILE", summary: "with --http: the token, or where to keep a new one" },
      project: { type: "string", value: "DIR", multiple: true, summary: "with --http: a directory that clients may name as their project (default here)" },
    },
    examples: [["memdir mcp", "what an agent's settings start"], ["memdir mcp --http --port 7332", "for clients that connect"]],
    load: () => import("./commands/mcp.ts"),
  },
];
