import { apiVersionOf, isAlreadyExists, isNotFound, StatusError } from "@levelset/core";
import { PATCH_TYPES } from "@levelset/core/internal";
import type { Fetch, JsonValue, Kind, NewMeta, NewOf, ObjectOf } from "@levelset/core";
import { CLUSTER_ORIGIN, parseJson, stringifyJson } from "@levelset/core/internal";

/** Fields of a test object: metadata at the top level, and the fields of its kind. */
export type ObjectFields<K extends Kind> = NewMeta & { readonly name: string } & Omit<NewOf<K>, "metadata">;

/** A merge patch for objects of a kind. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Typed client for tests: one request per call, no retries. Rejects with `StatusError`. */
export class TestClient {
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  async create<K extends Kind>(kind: K, fields: ObjectFields<K>): Promise<ObjectOf<K>> {
    const body = manifest(kind, fields);
    const response = await this.#call("POST", collectionPath(kind, body.metadata.namespace), body);
    return objectOf<K>(response);
  }

  /** Creates the object, or merges the fields into the existing one. */
  async apply<K extends Kind>(kind: K, fields: ObjectFields<K>): Promise<ObjectOf<K>> {
    try {
      return await this.create(kind, fields);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const body = manifest(kind, fields);
    return this.#patch(kind, objectPath(kind, fields.name, fields.namespace), body);
  }

  async get<K extends Kind>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K> | undefined> {
    try {
      return objectOf<K>(await this.#call("GET", objectPath(kind, name, namespace)));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Lists all objects of a kind, or those of one namespace. */
  async list<K extends Kind>(kind: K, namespace?: string): Promise<readonly ObjectOf<K>[]> {
    const path = namespace === undefined ? groupPath(kind) + kind.plural : collectionPath(kind, namespace);
    const response = await this.#call("GET", path);
    const items = typeof response === "object" && response !== null && "items" in response ? response.items : [];
    return Array.isArray(items) ? items.map((item: JsonValue) => objectOf<K>(item)) : [];
  }

  patch<K extends Kind>(kind: K, name: string, patch: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#patch(kind, objectPath(kind, name, namespace), patch);
  }

  patchStatus<K extends Kind>(kind: K, name: string, status: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#patch(kind, `${objectPath(kind, name, namespace)}/status`, { status });
  }

  async delete(kind: Kind, name: string, namespace?: string): Promise<void> {
    await this.#call("DELETE", objectPath(kind, name, namespace));
  }

  async #patch<K extends Kind>(_kind: K, path: string, patch: unknown): Promise<ObjectOf<K>> {
    return objectOf<K>(await this.#call("PATCH", path, patch, PATCH_TYPES.merge));
  }

  async #call(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<JsonValue> {
    const init = body === undefined ? {} : { body: stringifyJson(body), headers: { "content-type": contentType } };
    const response = await this.#fetch(new Request(CLUSTER_ORIGIN + path, { method, ...init }));
    const answer = parseJson(await response.text());
    if (!response.ok) throw StatusError.fromResponse(response.status, answer);
    return answer;
  }
}

/** Casts a response to the requested kind. */
function objectOf<K extends Kind>(response: JsonValue): ObjectOf<K> {
  // The server validated it against the schema that the type comes from.
  return response as unknown as ObjectOf<K>;
}

function manifest<K extends Kind>(
  kind: K,
  fields: ObjectFields<K>,
): { readonly metadata: NewMeta } & Readonly<Record<string, unknown>> {
  const { name, namespace, labels, annotations, finalizers, ownerReferences, generateName: _none, ...rest } = fields;
  const metadata: NewMeta = {
    name,
    ...(kind.scope === "Namespaced" ? { namespace: namespace ?? DEFAULT_NAMESPACE } : {}),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest };
}

/** Default namespace of test objects. */
export const DEFAULT_NAMESPACE: string = "default";

function groupPath(kind: Kind): string {
  return kind.group === "" ? `/api/${kind.version}/` : `/apis/${kind.group}/${kind.version}/`;
}

/** Returns the URL path of a collection. */
export function collectionPath(kind: Kind, namespace: string = DEFAULT_NAMESPACE): string {
  const home = kind.scope === "Namespaced" ? `namespaces/${namespace}/` : "";
  return `${groupPath(kind)}${home}${kind.plural}`;
}

/** Returns the URL path of an object. */
export function objectPath(kind: Kind, name: string, namespace?: string): string {
  return `${collectionPath(kind, namespace)}/${name}`;
}
