import { isJsonObject, isNotFound, InputError, kindId, StatusError } from "@levelset/core";
import type { JsonValue, Kind } from "@levelset/core";
import { abortable } from "./abortable.ts";
import type { CallOptions } from "./options.ts";
import type { Client } from "./client.ts";

/** A kind as a cluster serves it. */
export interface ServedKind extends Kind {
  /** What can be done with its objects: `get`, `list`, … */
  readonly verbs: readonly string[];
}

/**
 * The kinds that a cluster serves, asked for when they are first needed. For objects whose kinds are known only at run time;
 * everyone else declares kinds and has types.
 */
export class Discovery {
  readonly #client: Client;
  /** apiVersion → its kinds. Concurrent questions share one request. */
  readonly #known = new Map<string, Promise<ReadonlyMap<string, ServedKind>>>();

  /** group → its versions. */
  readonly #groups = new Map<string, readonly string[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The kind of an object that names itself. What is not known is asked for again, for kinds come and go. */
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

  /** The kind of a group in the version that the cluster prefers among those that have it; undefined when it serves none. */
  async kindIn(group: string, kind: string, options: CallOptions = {}): Promise<ServedKind | undefined> {
    for (const apiVersion of await this.#versions(group, options)) {
      const found = await this.#find(apiVersion, kind, options);
      if (found !== undefined) return found;
    }
    this.#groups.delete(group);
    return undefined;
  }

  /** The versions of a group, the preferred one first; none when the cluster does not know it. */
  async #versions(group: string, options: CallOptions): Promise<readonly string[]> {
    if (group === "") return ["v1"];
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    try {
      const document = await this.#client.document(`/apis/${group}`, options);
      const versions = isJsonObject(document) ? versionsOf(document) : [];
      this.#groups.set(group, versions);
      return versions;
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /**
   * All kinds that the cluster serves, each in the version that it prefers. What a server behind the server does not tell is left
   * out. Each version is asked for once.
   */
  async kinds(options: CallOptions = {}): Promise<readonly ServedKind[]> {
    const groups = membersOf(await this.#client.document("/apis", options), "groups");
    const versions = groups.map((group) => versionsOf(group));
    const answers = await Promise.all(["v1", ...versions.flat()].map((version) => this.#askIfThere(version, options)));
    const kinds = new Map<string, ServedKind>();
    for (const kind of answers.flatMap((answer) => [...answer.values()])) {
      if (!kinds.has(kindId(kind))) kinds.set(kindId(kind), kind);
    }
    return [...kinds.values()];
  }

  /** One server of many that is down must not hide the kinds of the others. */
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

  /** Nobody's signal ends it: others may wait for the same answer. */
  #ask(apiVersion: string): Promise<ReadonlyMap<string, ServedKind>> {
    const asked = this.#fetch(apiVersion);
    this.#known.set(apiVersion, asked);
    asked.catch(() => this.#known.delete(apiVersion));
    return asked;
  }

  async #fetch(apiVersion: string): Promise<ReadonlyMap<string, ServedKind>> {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      return kindsOf(apiVersion, await this.#client.document(path));
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

/** The versions of a group as `apiVersion`s, the one that the server prefers first. */
function versionsOf(group: Fields): readonly string[] {
  const preferred = isJsonObject(group["preferredVersion"]) ? [group["preferredVersion"]] : [];
  const all = [...preferred, ...membersOf(group, "versions")].map((version) => String(version["groupVersion"]));
  return [...new Set(all)];
}

/** The members of a list of objects. */
function membersOf(document: unknown, name: string): readonly Fields[] {
  const list = isJsonObject(document) ? document[name] : undefined;
  return Array.isArray(list) ? list.filter((item: unknown) => isJsonObject(item)) : [];
}
