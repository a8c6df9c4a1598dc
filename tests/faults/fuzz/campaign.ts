import fc from "fast-check";
import * as core from "@levelset/core";
import { toFetch } from "@levelset/core/http";
import { deepEqual, isProgrammingError, toError } from "@levelset/core/internal";
import type { Kind, KubeObject } from "@levelset/core";
import { createApiServer } from "@levelset/apiserver";
import type { ApiServer } from "@levelset/apiserver";
import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { Gateway } from "../../support/rich-kinds.ts";
import { fuzzRequest } from "./request.ts";
import type { FuzzRequest } from "./request.ts";

/** Result of a fuzz campaign against one server. */
export interface FuzzReport {
  /** Requests that failed with a server error or a broken response. Expected to be empty. */
  readonly failures: readonly string[];
  /** Number of responses by status code. */
  readonly codes: ReadonlyMap<number, number>;
  /** Problems of the server's state afterwards. Expected to be empty. */
  readonly corruption: readonly string[];
}

/** Messages of client errors that kube-apiserver, and this server too, reports with a code of 500 or above. */
const BLAMELESS: readonly RegExp[] = [
  /^Timeout: Too large resource version/u,
  /^failed to create typed patch object/u,
  /^unable to find api field in struct/u,
  /^unknown patch type/u,
  /^\[?target\./u,
];
const DECLARE_EVERY = 250;
const NEVER = new AbortController().signal;

/** All built-in kinds. */
const BUILTINS: readonly Kind[] = Object.values(core).filter(
  (value): value is Kind => typeof value === "object" && "plural" in value && "schema" in value && "scope" in value,
);

/** Kinds with little validation. Generated often, so that there are objects to update and delete. */
const EASY: readonly Kind[] = [
  core.ConfigMap,
  core.Secret,
  core.Lease,
  core.Endpoints,
  core.ControllerRevision,
  Gateway,
];

/** Sends `count` generated requests to a new server, one at a time, and checks its state afterwards. */
export async function runCampaign(count: number): Promise<FuzzReport> {
  const { logger, lines } = memoryLogger();
  const server = createApiServer({ clock: new VirtualClock(), random: seededRandom(1), logger });
  const listable: Kind[] = [];
  for (const kind of BUILTINS) if ((await send(server, get(collectionOf(kind)))).code === 200) listable.push(kind);
  const { seed } = fc.readConfigureGlobal();
  const requests = fc.sample(fuzzRequest([...BUILTINS, ...EASY, ...EASY, ...EASY, ...EASY]), {
    numRuns: count,
    ...(seed === undefined ? {} : { seed }),
  });
  const failures: string[] = [];
  const codes = new Map<number, number>();
  for (const [index, request] of requests.entries()) {
    // Requests occasionally delete the CustomResourceDefinition.
    if (index % DECLARE_EVERY === 0)
      await send(server, post(collectionOf(core.CustomResourceDefinition), core.crdOf(Gateway)));
    const { code, text, isBroken } = await send(server, request);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    const isFailure = code >= 500 && !BLAMELESS.some((message) => message.test(messageOf(text)));
    if (isFailure || isBroken) {
      const { error, stack } = lines.at(-1)?.fields ?? {};
      failures.push(
        `#${index} ${code}${isBroken ? " broken JSON" : ""} ${reported(request)}\n${text.slice(0, 300)}\n${String(stack ?? error)}`,
      );
    }
  }
  // Lets the built-in controllers process the same objects.
  await untilIdle();
  for (const { message, fields } of lines) {
    const { error, key } = fields;
    if (isProgrammingError(error)) failures.push(`${message}: ${String(key)}\n${toError(error).stack ?? ""}`);
  }
  const damage = await damageOf(server, listable);
  server.close();
  return { failures, codes, corruption: damage };
}

/** The message of a Status, in JSON or YAML. */
function messageOf(text: string): string {
  return /"?message"?: ?["']?(?<message>[^\n]*)/u.exec(text)?.groups?.["message"] ?? text;
}

function reported({ method, path, headers, body }: FuzzRequest): string {
  const text = body === undefined ? "" : ` ${body.type} ${Buffer.from(body.bytes).toString("utf8").slice(0, 2000)}`;
  return `${method} ${path} ${JSON.stringify(headers)}${text}`;
}

function post(path: string, value: unknown): FuzzRequest {
  const bytes = Buffer.from(JSON.stringify(value));
  return { method: "POST", path, headers: {}, body: { type: "application/json", bytes } };
}

interface Sent {
  readonly code: number;
  readonly text: string;
  /** Whether the response claims to be JSON but is not. */
  readonly isBroken: boolean;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function send(server: ApiServer, request: FuzzRequest): Promise<Sent> {
  const headers = new Map(Object.entries(request.headers));
  if (request.body !== undefined) headers.set("content-type", request.body.type);
  const answer = await server.handler({
    method: request.method,
    url: `https://localhost${request.path}`,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body: request.body === undefined ? null : chunks(request.body.bytes),
    signal: NEVER,
  });
  const { body, status: code } = answer;
  if (body instanceof ReadableStream) {
    await body.cancel();
    return { code, text: "", isBroken: false };
  }
  const response = await toFetch(() => Promise.resolve(answer))(new Request("http://cluster.invalid")); // throws for a header that cannot be sent
  const text = await response.text();
  // An error response may have an empty body.
  const isWorded = code < 300 || text !== "";
  const isPromise = response.body !== null && answer.headers.get("content-type") === "application/json";
  return { code, text, isBroken: isPromise && isWorded && !isJson(text) };
}

/** Splits the body into two chunks. */
async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.byteLength >> 1);
  yield bytes.subarray(bytes.byteLength >> 1);
}

/** Checks that every listed object can be read by name with the same content, and that a new object can be created. */
async function damageOf(server: ApiServer, kinds: readonly Kind[]): Promise<readonly string[]> {
  const damage: string[] = Object.keys(Object.prototype).map((name) => `Object.prototype has ${name}`);
  for (const kind of kinds) {
    const list = await send(server, get(collectionOf(kind)));
    const items =
      list.code === 200 ? (JSON.parse(list.text) as { readonly items?: readonly KubeObject[] }).items : undefined;
    if (items === undefined) damage.push(`${kind.plural} cannot be listed: ${list.code} ${list.text.slice(0, 300)}`);
    for (const { metadata } of items ?? []) {
      const one = await send(
        server,
        get(`${collectionOf(kind, metadata.namespace)}/${encodeURIComponent(metadata.name)}`),
      );
      const read = one.code === 200 ? (JSON.parse(one.text) as KubeObject) : undefined;
      if (!deepEqual(read?.metadata, metadata))
        damage.push(`${kind.plural} ${metadata.name}: ${one.code} ${one.text.slice(0, 300)}`);
    }
  }
  const created = await send(server, post("/api/v1/namespaces", { metadata: { name: "afterwards" } }));
  if (created.code !== 201) damage.push(`cannot create an object after the campaign: ${created.text}`);
  return damage;
}

function collectionOf(kind: Kind, namespace?: string): string {
  const apiVersion = core.apiVersionOf(kind);
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${kind.plural}`;
}

function get(path: string): FuzzRequest {
  return { method: "GET", path, headers: {}, body: undefined };
}
