import type { Store } from "../store/index.ts";
import { BUILTIN_RESOURCES, CRD_RESOURCE } from "./builtin-resources.ts";
import { asCrd, isEstablished } from "./crd.ts";
import { resourcesOf } from "./resource.ts";
import type { Crd, Resource } from "./resource.ts";

const BUILTIN_BY_PATH: ReadonlyMap<string, Resource> = new Map(
  BUILTIN_RESOURCES.map((resource) => [`${resource.group}/${resource.version}/${resource.plural}`, resource]),
);

/** The served resources: built-in ones and those of established CustomResourceDefinitions. */
export class ResourceCatalog {
  /** CRD name → the CRD and its resources. */
  readonly #declared = new Map<string, { readonly crd: Crd; readonly resources: readonly Resource[] }>();
  /** Cached lists, rebuilt on the first read after a change. They are read with every write but rarely change. */
  #crds: readonly Crd[] | undefined;
  #resources: readonly Resource[] | undefined;

  /** Loads all CustomResourceDefinitions of a store. */
  load(store: Store): void {
    const listing = store.list({ resource: CRD_RESOURCE.id });
    if (listing.kind === "compacted") return;
    for (const record of listing.records) this.addCrd(asCrd(record.object));
  }

  /** Serves the resources of a new or changed CustomResourceDefinition. */
  addCrd(crd: Crd): void {
    if (this.#declared.get(crd.metadata.name)?.crd === crd) return;
    this.#declared.set(crd.metadata.name, { crd, resources: isEstablished(crd) ? resourcesOf(crd) : [] });
    this.#changed();
  }

  /** Stops serving the resources of a CustomResourceDefinition. */
  removeCrd(name: string): void {
    this.#declared.delete(name);
    this.#changed();
  }

  #changed(): void {
    this.#crds = undefined;
    this.#resources = undefined;
  }

  /** All CustomResourceDefinitions, established or not. */
  get crds(): readonly Crd[] {
    this.#crds ??= [...this.#declared.values()].map(({ crd }) => crd);
    return this.#crds;
  }

  /** All served resources: built-in ones first, then custom ones sorted by CRD name. */
  get resources(): readonly Resource[] {
    this.#resources ??= [...BUILTIN_RESOURCES, ...this.#byName().flatMap(({ resources }) => resources)];
    return this.#resources;
  }

  #byName(): readonly { readonly resources: readonly Resource[] }[] {
    return [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, declared]) => declared);
  }

  /** Finds the resource of a request path; undefined if it is not served. */
  find(group: string, version: string, plural: string): Resource | undefined {
    const builtin = BUILTIN_BY_PATH.get(`${group}/${version}/${plural}`);
    if (builtin !== undefined) return builtin;
    return this.#declared.get(`${plural}.${group}`)?.resources.find((resource) => resource.version === version);
  }

  /** Returns the current definition of a resource whose CustomResourceDefinition may have changed. */
  latest(resource: Resource): Resource {
    return resource.isCustom ? (this.find(resource.group, resource.version, resource.plural) ?? resource) : resource;
  }

  /** Finds a resource in another version; undefined if the version is not served. */
  findVersion(resource: Resource, apiVersion: string): Resource | undefined {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return group === resource.group ? this.find(group, version, resource.plural) : undefined;
  }

  /** Finds the CustomResourceDefinition of a resource; undefined for built-in ones. */
  findCrd(id: string): Crd | undefined {
    return this.#declared.get(id)?.crd;
  }
}
