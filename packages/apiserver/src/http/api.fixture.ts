import { CLUSTER_ORIGIN, parseJson } from "@levelset/core/internal";
import { crdOf, kind, s } from "@levelset/core";
import type { AnyCustomKind, Fetch, KubeObject, LogLine, StatusObject } from "@levelset/core";
import { memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { startControllers } from "../controllers/index.ts";
import { Registry } from "../registry/index.ts";
import type { RegistryOptions } from "../registry/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { StoreLimits } from "../store/index.ts";
import { createApiFetch } from "./api-handler.ts";

/** A custom kind for tests. */
export const Simple: AnyCustomKind = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  shortNames: ["si"],
  columns: { Replicas: ".spec.replicas" },
  spec: s.object({
    replicas: s.int32().min(0).default(1).describe("How many."),
    mode: s.enum("fast", "safe").optional(),
    nested: s.object({ text: s.string().optional() }).optional(),
  }),
  status: s.object({ seen: s.int32().optional() }),
});

export const SIMPLES: string = "/apis/examples.levelset.dev/v1/namespaces/default/simples";
export const CONFIGMAPS: string = "/api/v1/namespaces/default/configmaps";
export const CRDS: string = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A loosely typed object for assertions. */
export type TestObject = KubeObject &
  Partial<StatusObject> & {
    readonly spec?: Readonly<Record<string, unknown>>;
    readonly data?: Readonly<Record<string, string>>;
    readonly items?: readonly TestObject[];
    readonly [field: string]: unknown;
  };

export interface TestResponse {
  readonly code: number;
  readonly headers: Headers;
  readonly body: TestObject;
}

export interface CallOptions {
  readonly type?: string;
  readonly accept?: string;
}

export interface TestWatchEvent {
  readonly type: string;
  readonly object: TestObject;
}

/** A watch under test. */
export class TestWatch {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = "";
  #events: TestWatchEvent[] = [];

  constructor(response: Response) {
    this.#reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  }

  /** Returns the next `count` events, or fewer if the watch ends first. */
  async take(count: number): Promise<readonly TestWatchEvent[]> {
    while (this.#events.length < count) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      const lines = (this.#rest + new TextDecoder().decode(value)).split("\n");
      this.#rest = lines.pop() ?? "";
      this.#events.push(...lines.map((line) => parseJson(line) as unknown as TestWatchEvent));
    }
    return this.#events.splice(0, count);
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** The API without sockets, on a virtual clock. */
export class ApiHarness {
  readonly clock: VirtualClock = new VirtualClock();
  readonly store: MemoryStore;
  readonly fetch: Fetch;
  readonly logs: readonly LogLine[];

  constructor({ resources, ...limits }: StoreLimits & Pick<RegistryOptions, "resources"> = {}) {
    this.store = new MemoryStore(limits);
    const random = seededRandom(1);
    const { logger, lines } = memoryLogger();
    this.logs = lines;
    const registry = new Registry({
      store: this.store,
      clock: this.clock,
      random,
      ...(resources === undefined ? {} : { resources }),
    });
    const started = registry.start().then(() => void startControllers({ registry, clock: this.clock, random, logger }));
    const handle = createApiFetch({ registry, clock: this.clock, random, logger });
    this.fetch = async (request) => {
      await started;
      return handle(request);
    };
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<TestResponse> {
    const headers = new Headers();
    if (options.accept !== undefined) headers.set("accept", options.accept);
    if (body !== undefined) headers.set("content-type", options.type ?? "application/json");
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await this.fetch(
      new Request(CLUSTER_ORIGIN + path, { method, headers, ...(body === undefined ? {} : { body: text }) }),
    );
    const result = await response.text();
    const parsed = response.headers.get("content-type")?.startsWith("application/json")
      ? parseJson(result)
      : { text: result };
    return { code: response.status, headers: response.headers, body: parsed as unknown as TestObject };
  }

  get(path: string): Promise<TestResponse> {
    return this.call("GET", path);
  }

  merge(path: string, patch: unknown): Promise<TestResponse> {
    return this.call("PATCH", path, patch, { type: "application/merge-patch+json" });
  }

  async watch(
    path: string,
    options: { readonly signal?: AbortSignal; readonly accept?: string } = {},
  ): Promise<TestWatch> {
    const headers = new Headers(options.accept === undefined ? {} : { accept: options.accept });
    const init = { headers, ...(options.signal === undefined ? {} : { signal: options.signal }) };
    const response = await this.fetch(new Request(CLUSTER_ORIGIN + path, init));
    return new TestWatch(response);
  }

  /** Creates a Simple. */
  async simple(
    name: string,
    spec: unknown = {},
    metadata: Readonly<Record<string, unknown>> = {},
  ): Promise<TestObject> {
    const { body } = await this.call("POST", SIMPLES, simple(name, spec, metadata));
    return body;
  }
}

/** Builds a Simple for a request body. */
export function simple(
  name: string,
  spec: unknown = {},
  metadata: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { apiVersion: "examples.levelset.dev/v1", kind: "Simple", metadata: { name, ...metadata }, spec };
}

/** Returns an API that serves Simple. */
export async function apiWithSimple(options: StoreLimits = {}): Promise<ApiHarness> {
  const api = new ApiHarness(options);
  await api.call("POST", CRDS, crdOf(Simple));
  return api;
}

/** Builds a ConfigMap for a request body. */
export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}
