/**
 * Writes a session as each client would: { session, cwd, startMs, exchanges: [{ prompt, calls, answer, interrupted }]
 * }. Calls: { command, output, failed }, { edit: PATH }, { read: PATH, output }, { rejected: true, command, output }.
 */
export const DIALECTS = ["claude-code", "codex", "gemini", "opencode"];

export function writeSession(dialect, session) {
  return `${WRITERS[dialect](session)
    .map((line) => JSON.stringify(line))
    .join("\n")}\n`;
}

const STEP_MS = 20_000;

/** Each message with its time: prompts, calls and answers in order. */
function* messagesOf({ session, startMs, exchanges }) {
  let at = 0;
  const next = () => ({ id: `${session}-m${++at}`, time: new Date(startMs + at * STEP_MS).toISOString() });
  for (const { prompt, calls, answer, interrupted } of exchanges) {
    yield { ...next(), kind: "prompt", text: prompt };
    for (const call of calls) {
      const one = next();
      yield { ...one, kind: "call", call: { ...call, id: `call-${one.id}` } };
    }
    if (interrupted) yield { ...next(), kind: "interruption" };
    else yield { ...next(), kind: "answer", text: answer ?? "Done." };
  }
}

function claudeCode(session) {
  const line = (type, { id, time }, content) => ({
    type,
    uuid: id,
    sessionId: session.session,
    cwd: session.cwd,
    timestamp: time,
    message: { role: type, content },
  });
  return [...messagesOf(session)].flatMap((message) => {
    if (message.kind === "prompt") return [line("user", message, message.text)];
    if (message.kind === "answer") return [line("assistant", message, [{ type: "text", text: message.text }])];
    if (message.kind === "interruption")
      return [line("user", message, [{ type: "text", text: "[Request interrupted by user]" }])];
    const { call } = message;
    const [name, input] =
      call.command !== undefined
        ? ["Bash", { command: call.command }]
        : call.edit !== undefined
          ? ["Edit", { file_path: call.edit, old_string: "a", new_string: "b" }]
          : ["Read", { file_path: call.read }];
    const text = call.rejected
      ? (call.output ?? "The user doesn't want to proceed with this tool use.")
      : `${call.failed ? "Exit code 1\n" : ""}${call.output ?? ""}`;
    return [
      line("assistant", message, [{ type: "tool_use", id: call.id, name, input }]),
      line("user", { ...message, id: `${message.id}-r` }, [
        {
          type: "tool_result",
          tool_use_id: call.id,
          content: text,
          is_error: call.failed === true || call.rejected === true,
        },
      ]),
    ];
  });
}

function codex(session) {
  const item = ({ time }, payload) => ({ timestamp: time, type: "response_item", payload });
  const said = (message, role, text) =>
    item(message, {
      type: "message",
      id: message.id,
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    });
  const meta = {
    type: "session_meta",
    payload: { id: session.session, cwd: session.cwd, source: "exec", thread_source: "user" },
  };
  const lines = [...messagesOf(session)].flatMap((message) => {
    if (message.kind === "prompt") return [said(message, "user", message.text)];
    if (message.kind === "answer") return [said(message, "assistant", message.text)];
    if (message.kind === "interruption")
      return [said(message, "user", "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>")];
    const { call } = message;
    if (call.edit !== undefined)
      return [
        item(message, {
          type: "custom_tool_call",
          id: message.id,
          call_id: call.id,
          name: "apply_patch",
          input: `*** Begin Patch\n*** Update File: ${call.edit}\n*** End Patch`,
        }),
        item(message, {
          type: "custom_tool_call_output",
          call_id: call.id,
          output: "Success. Updated the following files",
        }),
      ];
    const command = call.command ?? `cat ${call.read}`;
    const output = call.rejected
      ? (call.output ?? "exec command rejected by user")
      : `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${call.failed ? 1 : 0}\nOutput:\n${call.output ?? ""}`;
    return [
      item(message, {
        type: "function_call",
        id: message.id,
        call_id: call.id,
        name: "exec_command",
        arguments: JSON.stringify({ cmd: command }),
      }),
      item(message, { type: "function_call_output", call_id: call.id, output }),
    ];
  });
  return [meta, ...lines];
}

function gemini(session) {
  const head = {
    sessionId: session.session,
    projectHash: "p",
    startTime: new Date(session.startMs).toISOString(),
    kind: "main",
  };
  const lines = [...messagesOf(session)].map((message) => {
    const base = { id: message.id, timestamp: message.time };
    if (message.kind === "prompt") return { ...base, type: "user", content: [{ text: message.text }] };
    if (message.kind === "answer") return { ...base, type: "gemini", content: message.text };
    if (message.kind === "interruption") return { ...base, type: "info", content: "Request cancelled." };
    const { call } = message;
    const [name, args] =
      call.command !== undefined
        ? ["run_shell_command", { command: call.command }]
        : call.edit !== undefined
          ? ["replace", { file_path: call.edit }]
          : ["read_file", { absolute_path: call.read }];
    const output =
      call.command === undefined
        ? (call.output ?? "")
        : `Output: ${call.output ?? "(empty)"}${call.failed ? "\nExit Code: 1" : ""}`;
    return {
      ...base,
      type: "gemini",
      content: "",
      toolCalls: [
        {
          id: call.id,
          name,
          args,
          status: call.rejected ? "cancelled" : "success",
          result: [{ functionResponse: { id: call.id, name, response: { output } } }],
        },
      ],
    };
  });
  return [head, ...lines];
}

function opencode(session) {
  const head = { session: { id: session.session, directory: session.cwd } };
  const lines = [...messagesOf(session)].map((message) => {
    const info = {
      id: message.id,
      role: message.kind === "prompt" ? "user" : "assistant",
      time: { created: Date.parse(message.time) },
    };
    if (message.kind === "prompt" || message.kind === "answer")
      return { info, parts: [{ type: "text", text: message.text }] };
    if (message.kind === "interruption")
      return { info: { ...info, error: { name: "MessageAbortedError" } }, parts: [{ type: "text", text: "Look" }] };
    const { call } = message;
    const [tool, input] =
      call.command !== undefined
        ? ["bash", { command: call.command }]
        : call.edit !== undefined
          ? ["edit", { filePath: call.edit }]
          : ["read", { filePath: call.read }];
    const state = call.rejected
      ? { status: "error", input, error: call.output ?? "The user rejected permission to use this specific tool call." }
      : {
          status: "completed",
          input,
          output: call.output ?? "",
          metadata: call.command === undefined ? {} : { exit: call.failed ? 1 : 0 },
        };
    return { info, parts: [{ type: "tool", callID: call.id, tool, state }] };
  });
  return [head, ...lines];
}

const WRITERS = { "claude-code": claudeCode, codex, gemini, opencode };
