/**
 * In-memory API server of one kind, in front of a real one: requests for objects of the kind are answered here, all
 * others are forwarded. A controller can thus reconcile objects that the cluster does not have.
 */
import { apiVersionOf, isJsonObject } from "@levelset/core";
import { applyJsonPatch, applyMergePatch, parseJsonPatch } from "@levelset/core/apply";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { Fetch, JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";
import { objectOrEmpty } from "../json-parts.ts";

type Subscriber = (line: string) => void;

const EVENTS = /^\/api\/v1\/namespaces\/[^/]+\/events$/u;

/** Stores the objects of one kind like an API server. */
export class VirtualApi {
  readonly #kind: Kind;
  readonly #path: string;
  readonly #beyond: Fetch;
  readonly #objects = new Map<string, KubeObject>();
  readonly #subscribers = new Set<Subscriber>();
  #version = 1;

  constructor(kind: Kind, beyond: Fetch) {
    this.#kind = kind;
    this.#path = `/apis/${kind.group}/${kind.version}`;
    this.#beyond = beyond;
  }

  readonly fetch: Fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === this.#path) return json(200, this.#discovery());
    const [plural, name, subresource, ...more] = pathname.startsWith(`${this.#path}/`)
      ? pathname.slice(this.#path.length + 1).split("/")
      : [];
    if (plural !== this.#kind.plural) return (await this.#dropEvent(pathname, request)) ?? this.#beyond(request);
    if (more.length > 0 || (subresource !== undefined && subresource !== "status")) return refused(404, "NotFound");
    if (name === undefined)
      return request.method === "GET"
        ? this.#collection(searchParams, request.signal)
        : refused(405, "MethodNotAllowed");
    return this.#one(decodeURIComponent(name), subresource === "status", request);
  };

  get(name: string): KubeObject | undefined {
    return this.#objects.get(name);
  }

  /** Stores an object as is, except for its resourceVersion. */
  put(object: KubeObject): KubeObject {
    const before = this.#objects.get(object.metadata.name);
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(object.metadata.name, stored);
    this.#notify(before === undefined ? "ADDED" : "MODIFIED", stored);
    return stored;
  }

  remove(name: string): void {
    const object = this.#objects.get(name);
    if (object === undefined) return;
    this.#objects.delete(name);
    this.#version += 1;
    this.#notify("DELETED", { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } });
  }

  /** An Event about one of our objects would be useless in the cluster: it is accepted and dropped. */
  async #dropEvent(pathname: string, request: Request): Promise<Response | undefined> {
    if (request.method !== "POST" || !EVENTS.test(pathname)) return undefined;
    const event = objectOrEmpty(parseJson(await request.clone().text()));
    const { apiVersion, kind } = objectOrEmpty(event["involvedObject"]);
    return apiVersion === apiVersionOf(this.#kind) && kind === this.#kind.kind ? json(201, event) : undefined;
  }

  #discovery(): JsonObject {
    const { kind, plural } = this.#kind;
    const verbs = ["get", "list", "watch", "patch"];
    const resource = (name: string): JsonObject => ({ name, singularName: "", namespaced: false, kind, verbs });
    const groupVersion = apiVersionOf(this.#kind);
    return {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion,
      resources: [resource(plural), resource(`${plural}/status`)],
    };
  }

  #collection(query: URLSearchParams, signal: AbortSignal): Response {
    if (query.get("watch") === "true") return this.#watch(query, signal);
    const items = [...this.#objects.values()];
    const metadata = { resourceVersion: String(this.#version) };
    return json(200, { kind: `${this.#kind.kind}List`, apiVersion: apiVersionOf(this.#kind), metadata, items });
  }

  /**
   * Streams changes from now on. If the requested resourceVersion is not the latest, sends an Expired error and ends.
   */
  #watch(query: URLSearchParams, signal: AbortSignal): Response {
    const hasInitial = query.get("sendInitialEvents") === "true";
    if (!hasInitial && query.get("resourceVersion") !== String(this.#version)) {
      return new Response(`${line("ERROR", status(410, "Expired"))}\n`);
    }
    let subscriber: Subscriber | undefined;
    const end = (): void => {
      if (subscriber !== undefined) this.#subscribers.delete(subscriber);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const encoder = new TextEncoder();
        subscriber = (text) => controller.enqueue(encoder.encode(`${text}\n`));
        this.#subscribers.add(subscriber);
        if (hasInitial) {
          for (const object of this.#objects.values()) subscriber(line("ADDED", object));
          subscriber(line("BOOKMARK", this.#bookmark()));
        }
        signal.addEventListener("abort", () => {
          end();
          controller.error(signal.reason);
        });
      },
      cancel: end,
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  }

  #bookmark(): JsonObject {
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: String(this.#version), annotations };
    return { kind: this.#kind.kind, apiVersion: apiVersionOf(this.#kind), metadata };
  }

  async #one(name: string, isStatus: boolean, request: Request): Promise<Response> {
    const object = this.#objects.get(name);
    if (object === undefined) return refused(404, "NotFound");
    if (request.method === "GET") return json(200, object);
    if (request.method !== "PATCH") return refused(405, "MethodNotAllowed");
    return this.#patch(object, isStatus, request.headers.get("content-type") ?? "", parseJson(await request.text()));
  }

  #patch(object: KubeObject, isStatus: boolean, type: string, patch: JsonValue): Response {
    // An object is JSON; interfaces only lack the index signature.
    const before = object as unknown as JsonObject;
    let after: JsonValue;
    try {
      after = type.includes("json-patch")
        ? applyJsonPatch(before, parseJsonPatch(patch))
        : applyMergePatch(before, patch);
    } catch {
      return refused(422, "Invalid");
    }
    const { metadata } = after as unknown as KubeObject;
    if (metadata.resourceVersion !== object.metadata.resourceVersion) return refused(409, "Conflict");
    // Like the status subresource: a status write changes only the status.
    const next = isStatus
      ? { ...before, status: isJsonObject(after) ? (after["status"] ?? {}) : {} }
      : { ...before, metadata };
    return json(200, this.put(next as unknown as KubeObject));
  }

  #notify(type: string, object: KubeObject): void {
    const text = line(type, object);
    for (const subscriber of this.#subscribers) subscriber(text);
  }
}

function line(type: string, object: object): string {
  return stringifyJson({ type, object });
}

function json(code: number, body: object): Response {
  return new Response(stringifyJson(body), { status: code, headers: { "content-type": "application/json" } });
}

function status(code: number, reason: string): JsonObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, code, message: reason };
}

function refused(code: number, reason: string): Response {
  return json(code, status(code, reason));
}
