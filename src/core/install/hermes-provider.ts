import type { Program } from "./agents.ts";

/**
 * The memory provider for Hermes, a folder in its plugins. This Python code uses one `memdir mcp` process for requests
 * and `memdir capture --turn -` for what was said. Hermes finds it by the word `register_memory_provider`.
 */
export function hermesProvider({ node, command }: Program): string {
  return PROVIDER.replace("COMMAND_LIST", () => `[${[node, command].map((word) => JSON.stringify(word)).join(", ")}]`);
}

export function hermesConfig(): string {
  return CONFIG;
}

const CONFIG = `# memdir for Hermes, written by memdir install; memdir uninstall removes it. Edits are lost at the next install.
name: memdir
version: 1.0.0
description: "Memory as plain Markdown, shared with your coding agents."
hooks:
  - on_memory_write
`;

const PROVIDER = String.raw`# memdir for Hermes, written by memdir install; memdir uninstall removes it. Edits are lost at the next install.
"""Hermes' MemoryProvider over memdir: register_memory_provider is called below."""
from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import threading

from agent.memory_provider import MemoryProvider

COMMAND = COMMAND_LIST
# Hermes' tools, by the tools of memdir's server that answer them.
TOOLS = {"memdir_recall": "recall", "memdir_remember": "remember", "memdir_read": "read"}
SECONDS = 10


def _says(process, message):
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


class Server:
    """One memdir mcp process, asked one thing after the other; where it has ended, the next call starts another."""

    def __init__(self, arguments, cwd):
        self._arguments = arguments
        self._cwd = cwd
        self._lock = threading.RLock()
        self._last = 0
        self._start()

    def _start(self):
        # In a session of its own: Ctrl-C is for Hermes.
        self._process = subprocess.Popen(
            [*COMMAND, "mcp", *self._arguments], cwd=self._cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, encoding="utf-8", bufsize=1, start_new_session=True)
        about = {"name": "hermes", "version": "1"}
        self.info = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})
        _says(self._process, {"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method, params=None):
        with self._lock:
            self._last += 1
            # A server that hangs must not hold up a turn: then it is ended, and reading from it ends too.
            limit = threading.Timer(SECONDS, self._process.kill)
            limit.daemon = True
            limit.start()
            try:
                _says(self._process, {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params or {}})
                for line in self._process.stdout:
                    answer = json.loads(line)
                    if answer.get("id") == self._last and "method" not in answer:
                        if "error" in answer:
                            raise RuntimeError(answer["error"]["message"])
                        return answer["result"]
            finally:
                limit.cancel()
        raise RuntimeError("memdir ended")

    def call(self, tool, arguments):
        with self._lock:
            if self._process.poll() is not None:
                self._start()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result["content"])
        return text, result.get("isError", False)

    def close(self):
        try:
            self._process.stdin.close()
            self._process.wait(SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class MemdirProvider(MemoryProvider):
    def __init__(self):
        self._server = None
        self._session = ""
        self._cwd = None
        self._writes = True
        self._captures = []
        # Set while no turn waits to be handed over.
        self._between = threading.Event()
        self._between.set()

    @property
    def name(self):
        return "memdir"

    def is_available(self):
        return all(os.path.exists(path) for path in COMMAND)

    def unavailable_reason(self):
        return "" if self.is_available() else "memdir or Node has moved: run memdir install hermes again"

    def initialize(self, session_id, **kwargs):
        self._session = session_id
        # A sub-agent or a timer says nothing that a person said.
        self._writes = kwargs.get("agent_context", "primary") == "primary"
        # Where Hermes works; its agent_workspace is a name, and no place.
        place = os.path.expanduser(os.environ.get("TERMINAL_CWD", ""))
        self._cwd = place if os.path.isdir(place) else os.getcwd()
        self._server = Server([] if self._writes else ["--profile", "read-only"], self._cwd)
        atexit.register(self._end)

    def system_prompt_block(self):
        return self._server.info.get("instructions", "") if self._server else ""

    def prefetch(self, query, *, session_id=""):
        if not self._server or not query.strip():
            return ""
        self._between.clear()
        try:
            text, failed = self._server.call("recall", {"prompt": query})
        except Exception:
            return ""  # memory never stops a turn
        return text if not failed and "<memdir-context" in text else ""

    def sync_turn(self, user_content, assistant_content, *, session_id="", messages=None):
        try:
            self._hand_over(user_content, assistant_content, session_id or self._session)
        finally:
            self._between.set()

    def _hand_over(self, user_content, assistant_content, session):
        if not self._writes:
            return
        turns = [{"role": "user", "text": user_content or ""}, {"role": "assistant", "text": assistant_content or ""}]
        conversation = {"agent": "hermes", "session": session, "cwd": self._cwd, "turns": turns}
        # A process of its own, which goes on where Hermes ends with the turn.
        process = subprocess.Popen(
            [*COMMAND, "capture", "--turn", "-"], cwd=self._cwd, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, text=True, encoding="utf-8", start_new_session=True)
        self._captures = [one for one in self._captures if one.poll() is None] + [process]
        with process.stdin as given:
            given.write(json.dumps(conversation))

    def get_tool_schemas(self):
        listed = {tool["name"]: tool for tool in self._server.ask("tools/list")["tools"]} if self._server else {}
        return [
            {"name": ours, "description": listed[theirs]["description"], "parameters": listed[theirs]["inputSchema"]}
            for ours, theirs in TOOLS.items() if theirs in listed]

    def handle_tool_call(self, tool_name, args, **kwargs):
        if not self._server or tool_name not in TOOLS:
            return json.dumps({"success": False, "error": "there is no tool " + tool_name})
        try:
            text, failed = self._server.call(TOOLS[tool_name], args)
        except Exception as error:
            return json.dumps({"success": False, "error": str(error)})
        return json.dumps({"success": not failed, "result": text})

    def on_memory_write(self, action, target, content, metadata=None):
        if action == "add" and self._writes and self._server:
            try:
                kind = "user" if target == "user" else "project"
                self._server.call("remember", {"type": kind, "text": content})
            except Exception:
                pass  # Hermes has written it to its own file

    def on_session_switch(self, new_session_id, *, parent_session_id="", reset=False, rewound=False, **kwargs):
        self._session = new_session_id

    def backup_paths(self):
        return [os.path.expanduser("~/.memdir")]

    def _end(self):
        # hermes -z shuts nothing down: it ends while a thread of its own hands the turn over.
        if self._server:
            self._between.wait(3)
            self.shutdown()

    def shutdown(self):
        for process in self._captures:
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                pass  # it ends without Hermes
        if self._server:
            self._server.close()
            self._server = None


def register(ctx):
    # memdir uninstall takes what memdir wrote, which Python's compiled copy of it is not.
    shutil.rmtree(os.path.join(os.path.dirname(__file__), "__pycache__"), ignore_errors=True)
    ctx.register_memory_provider(MemdirProvider())
`;
