import { ERROR, type JsonObject, objectOf, RpcError, textOf } from "./json-rpc.ts";
import type { Call, ClientFacts, Offer, Page, Resources, Tool, ToolResult } from "./offer.ts";
import { problemWith } from "./schema.ts";

/** Supported protocol versions, newest first; a client that requests another gets the newest. */
export const PROTOCOLS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export interface Negotiated {
  readonly protocol: string;
  readonly client: ClientFacts;
}

/** What initialize negotiates. @throws RpcError for a request without a version. */
export function negotiate(params: JsonObject): Negotiated {
  const wanted = textOf(params["protocolVersion"]);
  if (wanted === undefined) throw new RpcError(ERROR.invalidParams, "initialize names a protocolVersion");
  const capabilities = objectOf(params["capabilities"]);
  const protocol = PROTOCOLS.find((one) => one === wanted) ?? PROTOCOLS[0];
  const elicitation = capabilities["elicitation"];
  // A client that declares only `elicitation` shows forms; one that lists its modes may not.
  const canElicit =
    elicitation !== undefined &&
    (Object.keys(objectOf(elicitation)).length === 0 || objectOf(elicitation)["form"] !== undefined);
  const name = textOf(objectOf(params["clientInfo"])["name"]) ?? "";
  return {
    protocol,
    client: {
      name,
      canElicit,
      canSample: capabilities["sampling"] !== undefined,
      hasRoots: capabilities["roots"] !== undefined,
    },
  };
}

/** @throws RpcError for a request that cannot be answered. */
export async function answerRequest(
  offer: Offer,
  method: string,
  params: JsonObject,
  call: Call,
  negotiated: Negotiated | undefined,
): Promise<JsonObject> {
  const answers = METHODS[method];
  if (answers === undefined) throw unknownMethod(method);
  return answers({ offer, params, call, negotiated });
}

interface Asked {
  readonly offer: Offer;
  readonly params: JsonObject;
  readonly call: Call;
  readonly negotiated: Negotiated | undefined;
}

const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const METHODS: Readonly<Record<string, ((asked: Asked) => JsonObject | Promise<JsonObject>) | undefined>> = {
  ping: () => ({}),
  initialize: ({ offer, negotiated }) => ({
    protocolVersion: negotiated?.protocol,
    capabilities: {
      tools: {},
      ...(offer.resources && { resources: {} }),
      ...(offer.prompts && { prompts: {} }),
      ...(offer.complete && { completions: {} }),
      ...(offer.logging === true && { logging: {} }),
    },
    serverInfo: offer.info,
    instructions: offer.instructions(),
  }),
  "tools/list": ({ offer }) => ({ tools: offer.tools().map(({ spec }) => spec) }),
  "tools/call": ({ offer, params, call }) => callTool(offer.tools(), params, call),
  "resources/list": ({ offer, params }) =>
    pageOf("resources", resourcesOf(offer, "resources/list").list(textOf(params["cursor"]))),
  "resources/templates/list": ({ offer }) => ({
    resourceTemplates: resourcesOf(offer, "resources/templates/list").templates,
  }),
  "resources/read": ({ offer, params }) => {
    const uri = textOf(params["uri"]) ?? "";
    const contents = resourcesOf(offer, "resources/read").read(uri);
    if (contents === undefined)
      throw new RpcError(ERROR.notFound, `there is no resource ${uri.slice(0, 200)}; resources/list names them`);
    return { contents };
  },
  "prompts/list": ({ offer }) => {
    if (offer.prompts === undefined) throw unknownMethod("prompts/list");
    return { prompts: offer.prompts.map(({ spec }) => spec) };
  },
  "prompts/get": ({ offer, params }) => {
    const prompt = offer.prompts?.find(({ spec }) => spec.name === params["name"]);
    if (prompt === undefined)
      throw new RpcError(
        ERROR.invalidParams,
        `there is no prompt ${String(params["name"]).slice(0, 100)}; prompts/list names them`,
      );
    const given = Object.entries(objectOf(params["arguments"])).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return { ...prompt.get(Object.fromEntries(given)) };
  },
  "completion/complete": ({ offer, params }) => complete(offer, params),
  "logging/setLevel": ({ offer, params }) => {
    if (offer.logging !== true) throw unknownMethod("logging/setLevel");
    if (!LOG_LEVELS.includes(String(params["level"])))
      throw new RpcError(ERROR.invalidParams, `a level is one of ${LOG_LEVELS.join(", ")}`);
    return {};
  },
};

const MOST_VALUES = 100;

function complete(offer: Offer, params: JsonObject): JsonObject {
  if (offer.complete === undefined) throw unknownMethod("completion/complete");
  const argument = objectOf(params["argument"]);
  const name = textOf(argument["name"]);
  if (name === undefined) throw new RpcError(ERROR.invalidParams, "completion/complete names an argument");
  const values = offer.complete(objectOf(params["ref"]), { name, value: textOf(argument["value"]) ?? "" });
  return {
    completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES },
  };
}

function unknownMethod(method: string): RpcError {
  return new RpcError(ERROR.methodNotFound, `there is no method ${method.slice(0, 100)}`);
}

function resourcesOf(offer: Offer, method: string): Resources {
  if (offer.resources === undefined) throw unknownMethod(method);
  return offer.resources;
}

function pageOf(name: string, { items, next }: Page<JsonObject>): JsonObject {
  return { [name]: items, ...(next !== undefined && { nextCursor: next }) };
}

/** Mistakes in arguments are results, from which a model can learn; only an unknown tool is a protocol error. */
async function callTool(tools: readonly Tool[], params: JsonObject, call: Call): Promise<JsonObject> {
  const tool = tools.find(({ spec }) => spec.name === params["name"]);
  if (tool === undefined)
    throw new RpcError(
      ERROR.invalidParams,
      `there is no tool ${String(params["name"]).slice(0, 100)}; tools/list names them`,
    );
  const input = params["arguments"] ?? {};
  const problem = problemWith(input, tool.accepts ?? tool.spec.inputSchema);
  const result =
    problem === undefined ? await tool.run(objectOf(input), call) : failure(`${tool.spec.name}: ${problem}`);
  return { ...result };
}

/** The text for a model when a tool failed. */
export function failure(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}
