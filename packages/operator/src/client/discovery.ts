import { isJsonObject, isNotFound, InputError } from "@levelset/core";
import type { JsonValue, Kind } from "@levelset/core";
import type { CallOptions } from "./options.ts";
import type { Client } from "./client.ts";

/**
 * The kinds that a cluster serves, asked for when they are first needed. For objects whose kinds are known only at run time;
 * everyone else declares kinds and has types.
 */
export class Discovery {
  readonly #client: Client;
  /** apiVersion → its kinds. Concurrent questions share one request. */
  readonly #known = new Map<string, Promise<ReadonlyMap<string, Kind>>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The kind of an object that names itself. What is not known is asked for again, for kinds come and go. */
  async kindOf(
    object: { readonly apiVersion: string; readonly kind: string },
    options: CallOptions = {},
  ): Promise<Kind> {
    const known = this.#known.get(object.apiVersion);
    const found = (await known)?.get(object.kind) ?? (await this.#ask(object.apiVersion, options)).get(object.kind);
    if (found !== undefined) return found;
    throw new InputError(`the cluster does not serve ${object.kind} in ${object.apiVersion}`, {
      hint: "check apiVersion and kind, or install the CRD that declares it",
    });
  }

  #ask(apiVersion: string, options: CallOptions): Promise<ReadonlyMap<string, Kind>> {
    const asked = this.#fetch(apiVersion, options);
    this.#known.set(apiVersion, asked);
    asked.catch(() => this.#known.delete(apiVersion));
    return asked;
  }

  async #fetch(apiVersion: string, options: CallOptions): Promise<ReadonlyMap<string, Kind>> {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      return kindsOf(apiVersion, await this.#client.document(path, options));
    } catch (error) {
      if (isNotFound(error)) return new Map();
      throw error;
    }
  }
}

function kindsOf(apiVersion: string, document: JsonValue): ReadonlyMap<string, Kind> {
  const resources = isJsonObject(document) && Array.isArray(document["resources"]) ? document["resources"] : [];
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const names = resources.filter(isJsonObject).map((resource) => String(resource["name"]));
  const kinds = new Map<string, Kind>();
  for (const resource of resources.filter(isJsonObject)) {
    const [plural, kind] = [String(resource["name"]), String(resource["kind"])];
    if (plural.includes("/")) continue;
    kinds.set(kind, {
      group: group ?? "",
      version: version ?? "",
      kind,
      plural,
      singular: kind.toLowerCase(),
      shortNames: Array.isArray(resource["shortNames"]) ? resource["shortNames"].map(String) : [],
      scope: resource["namespaced"] === true ? "Namespaced" : "Cluster",
      hasStatus: names.includes(`${plural}/status`),
      schema: { "x-kubernetes-preserve-unknown-fields": true },
    });
  }
  return kinds;
}
