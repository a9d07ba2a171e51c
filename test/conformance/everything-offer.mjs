/**
 * What the protocol's conformance suite asks of a server that is made for it: tools, resources and prompts that use every
 * part of the protocol. It is carried by the same code that carries memdir's own offer.
 */
import { setTimeout as wait } from "node:timers/promises";

/** One red pixel, and a sound of no length. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const ASK_TIMEOUT_MS = 10_000;

const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const resource = (uri, mimeType, value) => ({ type: "resource", resource: { uri, mimeType, text: value } });
const said = (content) => ({ role: "user", content });
const NOTHING = { type: "object", properties: {} };
const oneText = (name) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });

function tool(name, run, inputSchema = NOTHING) {
  return {
    spec: { name, title: name, description: `For conformance: ${name}`, inputSchema },
    run: async (input, call) => ({ content: await run(input, call) }),
  };
}

async function elicit(call, message, requestedSchema) {
  const { action, content } = await call.request("elicitation/create", { message, requestedSchema }, ASK_TIMEOUT_MS);
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const DEFAULTS = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  required: [],
};

const titled = (...values) => values.map(([value, title]) => ({ const: value, title }));
const ENUMS = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: {
      type: "string",
      oneOf: titled(["value1", "First Option"], ["value2", "Second Option"], ["value3", "Third Option"]),
    },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: {
      type: "array",
      items: { anyOf: titled(["value1", "First Choice"], ["value2", "Second Choice"], ["value3", "Third Choice"]) },
    },
  },
  required: [],
};

const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const TOOLS = [
  tool("test_simple_text", () => [text("This is a simple text response for testing.")]),
  tool("test_image_content", () => [image]),
  tool("test_audio_content", () => [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
  tool("test_embedded_resource", () => [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]),
  tool("test_multiple_content_types", () => [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
  ]),
  tool("test_tool_with_logging", async (_, call) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      call.notify("notifications/message", { level: "info", data });
      await wait(50);
    }
    return [text("done")];
  }),
  {
    spec: { name: "test_error_handling", title: "An error", description: "Always fails", inputSchema: NOTHING },
    run: async () => ({ content: [text("This tool intentionally returns an error for testing")], isError: true }),
  },
  tool("test_tool_with_progress", async (_, call) => {
    for (const done of [0, 50, 100]) {
      call.progress(done, 100);
      await wait(50);
    }
    return [text("done")];
  }),
  tool(
    "test_sampling",
    async ({ prompt: asked }, call) => {
      const { content } = await call.request(
        "sampling/createMessage",
        { messages: [said(text(asked))], maxTokens: 100 },
        ASK_TIMEOUT_MS,
      );
      return [text(`LLM response: ${content.text}`)];
    },
    oneText("prompt"),
  ),
  tool(
    "test_elicitation",
    async ({ message }, call) => {
      const schema = {
        type: "object",
        properties: { username: { type: "string" }, email: { type: "string" } },
        required: ["username", "email"],
      };
      return [text(`User response: ${await elicit(call, message, schema)}`)];
    },
    oneText("message"),
  ),
  tool("test_elicitation_sep1034_defaults", async (_, call) => [
    text(`Elicitation completed: ${await elicit(call, "Check the defaults", DEFAULTS)}`),
  ]),
  tool("test_elicitation_sep1330_enums", async (_, call) => [
    text(`Elicitation completed: ${await elicit(call, "Choose", ENUMS)}`),
  ]),
  tool("json_schema_2020_12_tool", () => [text("done")], SCHEMA_2020),
];

const RESOURCES = new Map([
  ["test://static-text", { mimeType: "text/plain", text: "This is the content of the static text resource." }],
  ["test://static-binary", { mimeType: "image/png", blob: PNG }],
]);

function readResource(uri) {
  const known = RESOURCES.get(uri);
  if (known !== undefined) return [{ uri, ...known }];
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/u.exec(uri) ?? [];
  return id === undefined
    ? undefined
    : [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ];
}

function prompt(name, messages, ...names) {
  return {
    spec: {
      name,
      description: `For conformance: ${name}`,
      arguments: names.map((one) => ({ name: one, description: one, required: true })),
    },
    get: (given) => ({ description: name, messages: messages(given) }),
  };
}

const PROMPTS = [
  prompt("test_simple_prompt", () => [said(text("This is a simple prompt for testing."))]),
  prompt(
    "test_prompt_with_arguments",
    ({ arg1, arg2 }) => [said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    "arg1",
    "arg2",
  ),
  prompt(
    "test_prompt_with_embedded_resource",
    ({ resourceUri }) => [
      said(resource(resourceUri, "text/plain", "Embedded resource content for testing.")),
      said(text("Please process the embedded resource above.")),
    ],
    "resourceUri",
  ),
  prompt("test_prompt_with_image", () => [said(image), said(text("Please analyze the image above."))]),
];

export function everythingOffer() {
  return {
    info: { name: "everything", title: "For conformance", version: "1.0.0" },
    instructions: () => "",
    tools: () => TOOLS,
    resources: {
      list: () => ({
        items: [...RESOURCES].map(([uri, { mimeType }]) => ({ uri, name: uri, description: uri, mimeType })),
        next: undefined,
      }),
      templates: [
        {
          uriTemplate: "test://template/{id}/data",
          name: "template",
          description: "By id",
          mimeType: "application/json",
        },
      ],
      read: readResource,
    },
    prompts: PROMPTS,
    complete: () => [],
    logging: true,
    close: () => undefined,
  };
}
