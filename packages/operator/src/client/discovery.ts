import { abortable } from "@levelset/core/internal";
import { InputError, isJsonObject, isNotFound, kindId, StatusError } from "@levelset/core";
import type { JsonValue, Kind } from "@levelset/core";
import type { CallOptions } from "./options.ts";
import type { Client } from "./client.ts";

/** A kind as a cluster serves it. */
export interface ServedKind extends Kind {
  /** Supported verbs: `get`, `list`, … */
  readonly verbs: readonly string[];
}

/**
 * Discovers and caches the kinds that a cluster serves. For objects whose kinds are known only at run time; declared
 * kinds do not need it. Methods reject with the errors of `Client`.
 */
export class Discovery {
  readonly #client: Client;
  /** apiVersion → its kinds. Concurrent callers share one request. */
  readonly #known = new Map<string, Promise<ReadonlyMap<string, ServedKind>>>();

  /** group → its versions. */
  readonly #groups = new Map<string, readonly string[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Returns the kind of an object by its apiVersion and kind. Repeats discovery for an unknown kind. Throws an
   * `InputError` if it is not served.
   */
  async kindOf(
    object: { readonly apiVersion: string; readonly kind: string },
    options: CallOptions = {},
  ): Promise<ServedKind> {
    const found = await this.#find(object.apiVersion, object.kind, options);
    if (found !== undefined) return found;
    throw new InputError(`the cluster does not serve ${object.kind} in ${object.apiVersion}`, {
      hint: "check apiVersion and kind, or install the CRD that declares it",
    });
  }

  /**
   * Returns a kind of a group in the most preferred version that serves it, or undefined if the cluster does not serve
   * it.
   */
  async kindInGroup(group: string, kind: string, options: CallOptions = {}): Promise<ServedKind | undefined> {
    for (const apiVersion of await this.#versions(group, options)) {
      const found = await this.#find(apiVersion, kind, options);
      if (found !== undefined) return found;
    }
    this.#groups.delete(group);
    return undefined;
  }

  /** Returns the versions of a group, the preferred one first; empty if the cluster does not serve the group. */
  async #versions(group: string, options: CallOptions): Promise<readonly string[]> {
    if (group === "") return ["v1"];
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    try {
      const document = await this.#client.getRaw(`/apis/${group}`, options);
      const versions = isJsonObject(document) ? versionsOf(document) : [];
      this.#groups.set(group, versions);
      return versions;
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /**
   * Returns all kinds that the cluster serves, each in its preferred version. Skips groups whose aggregated API server
   * is unavailable. Requests each version once.
   */
  async kinds(options: CallOptions = {}): Promise<readonly ServedKind[]> {
    const groups = membersOf(await this.#client.getRaw("/apis", options), "groups");
    const versions = groups.map((group) => versionsOf(group));
    const answers = await Promise.all(["v1", ...versions.flat()].map((version) => this.#askIfThere(version, options)));
    const kinds = new Map<string, ServedKind>();
    for (const kind of answers.flatMap((result) => [...result.values()])) {
      if (!kinds.has(kindId(kind))) kinds.set(kindId(kind), kind);
    }
    return [...kinds.values()];
  }

  /** Skips an unavailable aggregated API server, so that the other kinds are still returned. */
  async #askIfThere(apiVersion: string, options: CallOptions): Promise<ReadonlyMap<string, ServedKind>> {
    try {
      return await abortable(this.#known.get(apiVersion) ?? this.#ask(apiVersion), options.signal);
    } catch (error) {
      if (error instanceof StatusError) return new Map();
      throw error;
    }
  }

  async #find(apiVersion: string, kind: string, { signal }: CallOptions): Promise<ServedKind | undefined> {
    const known = this.#known.get(apiVersion);
    const found = known === undefined ? undefined : (await abortable(known, signal)).get(kind);
    return found ?? (await abortable(this.#ask(apiVersion), signal)).get(kind);
  }

  /** Takes no signal, because several callers may wait for the same response. */
  #ask(apiVersion: string): Promise<ReadonlyMap<string, ServedKind>> {
    const requested = this.#fetch(apiVersion);
    this.#known.set(apiVersion, requested);
    requested.catch(() => this.#known.delete(apiVersion));
    return requested;
  }

  async #fetch(apiVersion: string): Promise<ReadonlyMap<string, ServedKind>> {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      return kindsOf(apiVersion, await this.#client.getRaw(path));
    } catch (error) {
      if (isNotFound(error)) return new Map();
      throw error;
    }
  }
}

function kindsOf(apiVersion: string, document: JsonValue): ReadonlyMap<string, ServedKind> {
  const resources = membersOf(document, "resources");
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const names = resources.map((resource) => String(resource["name"]));
  const kinds = new Map<string, ServedKind>();
  for (const resource of resources) {
    const [plural, kind] = [String(resource["name"]), String(resource["kind"])];
    if (plural.includes("/")) continue;
    kinds.set(kind, {
      group: group ?? "",
      version: version ?? "",
      kind,
      plural,
      singular: kind.toLowerCase(),
      shortNames: Array.isArray(resource["shortNames"]) ? resource["shortNames"].map(String) : [],
      verbs: Array.isArray(resource["verbs"]) ? resource["verbs"].map(String) : [],
      scope: resource["namespaced"] === true ? "Namespaced" : "Cluster",
      hasStatus: names.includes(`${plural}/status`),
      schema: { "x-kubernetes-preserve-unknown-fields": true },
    });
  }
  return kinds;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the versions of a group as `apiVersion`s, the preferred one first. */
function versionsOf(group: Fields): readonly string[] {
  const preferred = isJsonObject(group["preferredVersion"]) ? [group["preferredVersion"]] : [];
  const all = [...preferred, ...membersOf(group, "versions")].map((version) => String(version["groupVersion"]));
  return [...new Set(all)];
}

/** Returns the objects of a list field. */
function membersOf(document: unknown, name: string): readonly Fields[] {
  const list = isJsonObject(document) ? document[name] : undefined;
  return Array.isArray(list) ? list.filter((item: unknown) => isJsonObject(item)) : [];
}
