import { isJsonObject } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";
import {
  CLUSTER_ORIGIN,
  deepEqual,
  parseApiVersion,
  parseJson,
  PATCH_TYPES,
  stringifyJson,
} from "@levelset/core/internal";
import type { ApiObject } from "@levelset/apiserver";
import { idOf } from "../history/index.ts";
import type { Manifest, ObjectId } from "../history/index.ts";

/** The response to a request of a user: the object as the server has it now, or why the request was refused. */
export type UserWrite =
  | { readonly kind: "written"; readonly object: ApiObject }
  | { readonly kind: "refused"; readonly code: number; readonly message: string };

/** How often a change is attempted while other clients write the object. */
const ATTEMPTS_MAX = 5;

/** Writes objects as a user with kubectl does, without faults: unknown fields are refused. */
export class UserClient {
  readonly #fetch: Fetch;
  readonly #pluralOf: (id: ObjectId) => string;
  /** Object uid → the labels and annotations that the user has written last. */
  readonly #written = new Map<string, Pick<Manifest["metadata"], "labels" | "annotations">>();

  constructor(fetch: Fetch, pluralOf: (id: ObjectId) => string) {
    this.#fetch = fetch;
    this.#pluralOf = pluralOf;
  }

  async create(object: Manifest): Promise<UserWrite> {
    const path = `${this.#collection(idOf(object))}?fieldManager=kubectl-create&fieldValidation=Strict`;
    return this.#remember(object, await this.#send("POST", path, object));
  }

  /**
   * Replaces all fields of an object beside its metadata. Labels and annotations are merged as by `kubectl apply`: those
   * that the user has written before and now omits are removed, and those of other clients stay.
   */
  async change(object: Manifest): Promise<UserWrite> {
    const path = this.#path(idOf(object));
    for (let attempt = 1; ; attempt++) {
      const live = await this.#send("GET", path);
      if (live.kind === "refused") return live;
      const patch = this.#changeOf(object, live.object);
      const query = "?fieldManager=kubectl-edit&fieldValidation=Strict";
      const write = await this.#send("PATCH", path + query, patch, PATCH_TYPES.json);
      const isOutdated = write.kind === "refused" && write.code === 409;
      if (!isOutdated || attempt === ATTEMPTS_MAX) return this.#remember(object, write);
    }
  }

  merge(id: ObjectId, patch: JsonObject): Promise<UserWrite> {
    return this.#send("PATCH", `${this.#path(id)}?fieldManager=kubectl-patch`, patch, PATCH_TYPES.merge);
  }

  delete(id: ObjectId): Promise<UserWrite> {
    return this.#send("DELETE", this.#path(id));
  }

  /** Returns the JSON patch that changes the live object. */
  #changeOf({ apiVersion: _a, kind: _k, metadata, ...fields }: Manifest, { metadata: live }: ApiObject): JsonValue {
    const before = this.#written.get(live.uid);
    return [
      { op: "add", path: "/metadata/resourceVersion", value: live.resourceVersion },
      // The server adds stringData to the data that is there.
      ...("stringData" in fields && !("data" in fields) ? [{ op: "add", path: "/data", value: {} }] : []),
      ...Object.entries(fields).map(([name, value]) => ({ op: "add", path: `/${name}`, value })),
      ...(["labels", "annotations"] as const).flatMap((field) => {
        const value = merged(live[field], before?.[field], metadata[field]);
        return deepEqual(value, live[field] ?? {}) ? [] : [{ op: "add", path: `/metadata/${field}`, value }];
      }),
    ];
  }

  #remember({ metadata: { labels = {}, annotations = {} } }: Manifest, write: UserWrite): UserWrite {
    if (write.kind === "written") this.#written.set(write.object.metadata.uid, { labels, annotations });
    return write;
  }

  #path(id: ObjectId): string {
    return `${this.#collection(id)}/${id.name}`;
  }

  #collection(id: ObjectId): string {
    const { group, version } = parseApiVersion(id.apiVersion);
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const scope = id.namespace === undefined ? "" : `/namespaces/${id.namespace}`;
    return `${root}${scope}/${this.#pluralOf(id)}`;
  }

  async #send(method: string, path: string, body?: unknown, type = "application/json"): Promise<UserWrite> {
    const init = body === undefined ? {} : { body: stringifyJson(body), headers: { "content-type": type } };
    const response = await this.#fetch(new Request(CLUSTER_ORIGIN + path, { method, ...init }));
    const answer: JsonValue = parseJson(await response.text());
    if (response.ok) return { kind: "written", object: answer as unknown as ApiObject }; // the server's own object
    const message = isJsonObject(answer) ? answer["message"] : undefined;
    return { kind: "refused", code: response.status, message: typeof message === "string" ? message : "" };
  }
}

type Texts = Readonly<Record<string, string>>;

/** Returns the live labels or annotations without those that were dropped, and with the wanted ones. */
function merged(live: Texts = {}, before: Texts = {}, wanted: Texts = {}): Texts {
  const kept = Object.entries(live).filter(([name]) => !Object.hasOwn(before, name));
  return Object.fromEntries([...kept, ...Object.entries(wanted)]);
}
