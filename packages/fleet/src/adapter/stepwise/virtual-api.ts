/**
 * An API server of one kind, in memory, before a real one: requests for objects of the kind are answered here, all others are passed on. So a controller
 * reconciles what is no object of the cluster as if it were one.
 */
import {
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  isJsonObject,
  parseJson,
  parseJsonPatch,
  stringifyJson,
} from "@levelset/core";
import type { Fetch, JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";
import { objectOf } from "../json-parts.ts";

type Follower = (line: string) => void;

const EVENTS = /^\/api\/v1\/namespaces\/[^/]+\/events$/u;

/** The objects of one kind, as a server has them. */
export class VirtualApi {
  readonly #kind: Kind;
  readonly #path: string;
  readonly #beyond: Fetch;
  readonly #objects = new Map<string, KubeObject>();
  readonly #followers = new Set<Follower>();
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
    if (plural !== this.#kind.plural) return (await this.#taken(pathname, request)) ?? this.#beyond(request);
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

  /** Puts an object there as it is, but for its version. */
  put(object: KubeObject): KubeObject {
    const before = this.#objects.get(object.metadata.name);
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(object.metadata.name, stored);
    this.#tell(before === undefined ? "ADDED" : "MODIFIED", stored);
    return stored;
  }

  remove(name: string): void {
    const object = this.#objects.get(name);
    if (object === undefined) return;
    this.#objects.delete(name);
    this.#version += 1;
    this.#tell("DELETED", { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } });
  }

  /** An Event about an object of ours would lead nowhere in the cluster: it is taken, and forgotten. */
  async #taken(pathname: string, request: Request): Promise<Response | undefined> {
    if (request.method !== "POST" || !EVENTS.test(pathname)) return undefined;
    const event = objectOf(parseJson(await request.clone().text()));
    const { apiVersion, kind } = objectOf(event["involvedObject"]);
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

  /** A stream of what happens from now on. With less than all that happened since the asked version, it says so and ends. */
  #watch(query: URLSearchParams, signal: AbortSignal): Response {
    const hasInitial = query.get("sendInitialEvents") === "true";
    if (!hasInitial && query.get("resourceVersion") !== String(this.#version)) {
      return new Response(`${line("ERROR", status(410, "Expired"))}\n`);
    }
    let follower: Follower | undefined;
    const end = (): void => {
      if (follower !== undefined) this.#followers.delete(follower);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const encoder = new TextEncoder();
        follower = (text) => controller.enqueue(encoder.encode(`${text}\n`));
        this.#followers.add(follower);
        if (hasInitial) {
          for (const object of this.#objects.values()) follower(line("ADDED", object));
          follower(line("BOOKMARK", this.#bookmark()));
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
    // As a server has it: the status is written by itself, and nothing else with it.
    const next = isStatus
      ? { ...before, status: isJsonObject(after) ? (after["status"] ?? {}) : {} }
      : { ...before, metadata };
    return json(200, this.put(next as unknown as KubeObject));
  }

  #tell(type: string, object: KubeObject): void {
    const text = line(type, object);
    for (const follower of this.#followers) follower(text);
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
