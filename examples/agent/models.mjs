/** Two models behind memdir's Model port: one that follows a script, one behind any server that speaks OpenAI's chat completions. */

/** @param {readonly object[]} answers one a step @returns {import("memdir").Model & { asked: object[] }} */
export function scriptedModel(answers) {
  const asked = [];
  return {
    id: "script/none",
    place: "machine",
    asked,
    async ask(request) {
      asked.push(structuredClone({ system: request.system, messages: request.messages }));
      const value = answers[asked.length - 1];
      const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
      return value === undefined
        ? { kind: "unavailable", reason: "the script has ended", ms: 0 }
        : { kind: "answer", value, usage, ms: 0 };
    },
  };
}

/**
 * @param {{ url: string, model: string, key?: string }} server `url` with `/v1`
 * @returns {import("memdir").Model}
 */
export function chatModel({ url, model, key }) {
  return {
    id: `server/${model}`,
    place: "network",
    async ask({ system, messages, schema, schemaName, maxOutputTokens, timeoutMs }) {
      const started = performance.now();
      const body = {
        model,
        max_tokens: maxOutputTokens,
        messages: [{ role: "system", content: system }, ...messages.map(({ role, text }) => ({ role, content: text }))],
        response_format: { type: "json_schema", json_schema: { name: schemaName, schema, strict: true } },
      };
      const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
      try {
        const response = await fetch(`${url}/chat/completions`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const ms = performance.now() - started;
        if (!response.ok) return { kind: "unavailable", reason: `the server answered ${response.status}`, ms };
        const { choices, usage } = await response.json();
        return {
          kind: "answer",
          value: JSON.parse(choices[0].message.content),
          usage: {
            inputTokens: usage?.prompt_tokens ?? 0,
            outputTokens: usage?.completion_tokens ?? 0,
            cachedTokens: 0,
          },
          ms,
        };
      } catch (error) {
        return {
          kind:
            error.name === "TimeoutError" ? "timeout" : error instanceof SyntaxError ? "invalid-answer" : "unavailable",
          reason: error.message,
          ms: performance.now() - started,
        };
      }
    },
  };
}
