import { isJsonObject } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";
import { CLUSTER_ORIGIN, parseApiVersion, parseJson, PATCH_TYPES, stringifyJson } from "@levelset/core/internal";
import type { ApiObject } from "@levelset/apiserver";
import { idOf } from "../history/index.ts";
import type { Manifest, ObjectId } from "../history/index.ts";

/** The response to a write of a user. */
export type UserWrite =
  | { readonly kind: "written"; readonly object: ApiObject }
  | { readonly kind: "refused"; readonly code: number; readonly message: string };

/** Writes objects as a user with kubectl does, without faults: unknown fields are refused. */
export class UserClient {
  readonly #fetch: Fetch;
  readonly #pluralOf: (id: ObjectId) => string;

  constructor(fetch: Fetch, pluralOf: (id: ObjectId) => string) {
    this.#fetch = fetch;
    this.#pluralOf = pluralOf;
  }

  create(object: Manifest): Promise<UserWrite> {
    return this.#send(
      "POST",
      `${this.#collection(idOf(object))}?fieldManager=kubectl-create&fieldValidation=Strict`,
      object,
    );
  }

  /** Replaces all fields of an object beside its metadata; labels and annotations are merged. */
  change(object: Manifest): Promise<UserWrite> {
    const { apiVersion: _a, kind: _k, metadata, ...fields } = object;
    const { labels, annotations } = metadata;
    const patch = [
      // The server adds stringData to the data that is there.
      ...("stringData" in fields && !("data" in fields) ? [{ op: "add", path: "/data", value: {} }] : []),
      ...Object.entries(fields).map(([name, value]) => ({ op: "add", path: `/${name}`, value })),
      ...(labels === undefined ? [] : [{ op: "add", path: "/metadata/labels", value: labels }]),
      ...(annotations === undefined ? [] : [{ op: "add", path: "/metadata/annotations", value: annotations }]),
    ];
    return this.#send(
      "PATCH",
      `${this.#path(idOf(object))}?fieldManager=kubectl-edit&fieldValidation=Strict`,
      patch,
      PATCH_TYPES.json,
    );
  }

  merge(id: ObjectId, patch: JsonObject): Promise<UserWrite> {
    return this.#send("PATCH", `${this.#path(id)}?fieldManager=kubectl-patch`, patch, PATCH_TYPES.merge);
  }

  delete(id: ObjectId): Promise<UserWrite> {
    return this.#send("DELETE", this.#path(id));
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
