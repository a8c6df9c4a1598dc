import { parseJson } from "@levelset/core/internal";
import { silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { parseYaml } from "../yaml.ts";
import { ExpressionCompiler } from "../expression/index.ts";
import { taskFilesIn, readTask } from "../task/index.ts";
import type { AdapterTask } from "../task/index.ts";
import {
  generationAnnotationOf,
  isClaimed,
  NotOwnedError,
  ownershipOf,
  AdapterTransportError,
} from "../transport/index.ts";
import type {
  TransportApplyResult,
  TransportApplyOptions,
  OwnerInfo,
  Ownership,
  RemoveOptions,
  ObjectLocator,
  Transport,
} from "../transport/index.ts";
import { ApiCaller, runTask } from "./index.ts";
import type { TaskOutcome } from "./index.ts";
import { metadataOf, nameOf, objectOrEmpty } from "../json-parts.ts";

/** In-memory transport that records its operations. Deleting an object with finalizers leaves it in place. */
export class MemoryTransport implements Transport {
  readonly kind = "kubernetes";
  readonly objects = new Map<string, JsonObject>();
  readonly operations: string[] = [];
  /** Failures to inject, by object name. */
  readonly failing = new Map<string, { readonly at: "find" | "apply" | "remove"; readonly isTransient: boolean }>();

  /** An object without owner labels was created by an earlier run of the same test. */
  ownership(object: JsonObject, mark: OwnerInfo): Ownership {
    const ownership = ownershipOf(object, mark);
    return ownership.kind === "unowned" ? { kind: "ours" } : ownership;
  }

  async find(target: ObjectLocator): Promise<readonly JsonObject[]> {
    const name = target.by.kind === "name" ? target.by.name : "";
    this.#fail(name, "find");
    const labels = target.by.kind === "name" ? {} : target.by.labels;
    return [...this.objects].flatMap(([key, object]) => {
      const found = objectOrEmpty(metadataOf(object)["labels"]);
      const isNamed = target.by.kind === "labels" || key === `${target.kind}/${name}`;
      const isKind = object["kind"] === target.kind;
      return isNamed && isKind && Object.entries(labels).every(([label, value]) => found[label] === value)
        ? [object]
        : [];
    });
  }

  async apply(
    { kind }: ObjectLocator,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    const name = nameOf(manifest);
    this.#fail(name, "apply");
    const { recreate, owner } = options;
    const named = this.objects.get(`${kind}/${name}`);
    const ownership: Ownership = named === undefined ? { kind: "ours" } : this.ownership(named, owner);
    if (named !== undefined && !isClaimed(ownership, options)) throw new NotOwnedError(named, ownership);
    const isSame = live !== undefined && generationAnnotationOf(live) === generationAnnotationOf(manifest);
    const as = live === undefined ? "created" : recreate ? "recreated" : isSame ? "unchanged" : "updated";
    this.operations.push(`${as} ${kind}/${name}`);
    const next = { ...(recreate ? {} : live), ...manifest };
    this.objects.set(`${kind}/${name}`, next);
    return { as, live: next };
  }

  async delete({ kind }: ObjectLocator, live: JsonObject, { policy }: RemoveOptions): Promise<void> {
    const name = nameOf(live);
    this.#fail(name, "remove");
    this.operations.push(`deleted ${kind}/${name} ${policy}`);
    if (!name.includes("stuck")) this.objects.delete(`${kind}/${name}`);
  }

  #fail(name: string, at: "find" | "apply" | "remove"): void {
    const failure = this.failing.get(name);
    if (failure?.at === at) throw new AdapterTransportError(`${at} of ${name} failed`, failure.isTransient);
  }
}

/** A request as received by the API. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: JsonValue;
  readonly authorization: string | null;
  /** The default header of every request to the fleet API. */
  readonly gateway: string | null;
}

/**
 * API that responds from a table of `METHOD path`: a body for 200, or a status. Several entries are returned in order.
 */
export class ScriptedApi {
  readonly sent: SentRequest[] = [];
  readonly #answers: Record<string, JsonValue | readonly (JsonValue | number)[] | number>;

  constructor(answers: Record<string, JsonValue | readonly (JsonValue | number)[] | number>) {
    this.#answers = answers;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? null : parseJson(text);
    const path = `${url.host === "fleet.test" ? "" : url.origin}${url.pathname}${url.search}`;
    const { headers, method } = request;
    this.sent.push({
      method,
      path,
      body,
      authorization: headers.get("authorization"),
      gateway: headers.get("x-gateway"),
    });
    const scripted = this.#answers[`${request.method} ${path.replace("/api/hyperfleet/v1", "")}`];
    const nth = this.sent.filter((one) => one.method === request.method && one.path === path).length - 1;
    const result = Array.isArray(scripted) ? (scripted[nth] ?? scripted.at(-1)) : scripted;
    if (result === undefined) return Response.json({ code: "HYPERFLEET-NTF-001" }, { status: 404 });
    if (typeof result === "number")
      return Response.json({ code: CODES[result] ?? "X" }, { status: Math.trunc(result) });
    return Response.json(result);
  };

  /** Returns the bodies sent to a path. */
  bodies(method: string, path: string): readonly JsonValue[] {
    return this.sent.filter((one) => one.method === method && one.path.endsWith(path)).map(({ body }) => body);
  }
}

/** 404.5 stands for the response to a path unknown to the API. */
const CODES: Readonly<Record<number, string>> = { 404: "HYPERFLEET-NTF-001", 404.5: "HYPERFLEET-NTF-000" };

/** Time at which fixtures run. */
export const NOW: number = Date.parse("2027-01-15T08:00:00Z");

/** Options of a test run. */
export interface TaskRunOptions {
  readonly task: JsonObject;
  readonly event?: JsonValue;
  readonly api?: ScriptedApi;
  readonly cluster?: MemoryTransport;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function taskOf(content: JsonObject, clock: VirtualClock): AdapterTask {
  return readTask({
    file: "task.yaml",
    content,
    files: taskFilesIn("/etc", () => ""),
    parseYaml,
    compiler: new ExpressionCompiler(() => clock.now()),
  });
}

/** Runs a task once; delays take no time. */
export async function run({
  task,
  event = { id: "c1" },
  env = {},
  files = {},
  ...args
}: TaskRunOptions): Promise<TaskOutcome> {
  const clock = new VirtualClock(NOW);
  const random = seededRandom(1);
  const api = new ApiCaller({
    baseUrl: "http://fleet.test",
    version: "v1",
    headers: { "x-gateway": "let me in" },
    token: async () => "the-token",
    timeoutMs: 10_000,
    attemptsMax: 3,
    backoff: "exponential",
    baseDelayMs: 1_000,
    maxDelayMs: 30_000,
    fetch: (args.api ?? new ScriptedApi({})).fetch,
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, callback) => clock.after(ms, callback),
      sleep: async () => undefined,
    },
    random,
  });
  const readFile = async (path: string): Promise<string> => {
    const text = files[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  };
  const transports = { kubernetes: args.cluster ?? new MemoryTransport() };
  const world = { api, transports, template: clock, parseYaml, readFile, env, logger: silentLogger };
  const { signal } = new AbortController();
  return runTask(
    { task: taskOf(task, clock), event, adapter: { name: "dns", version: "1" }, config: {}, signal },
    world,
  );
}
