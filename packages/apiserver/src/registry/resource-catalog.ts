import type { Store } from "../store/index.ts";
import { crdResource, asCrd, isEstablished } from "../kinds/index.ts";
import { resourcesOf } from "../resource/index.ts";
import type { Crd, Resource } from "../resource/index.ts";

/** The served resources: built-in ones and those of established CustomResourceDefinitions. */
export class ResourceCatalog {
  readonly #builtin: readonly Resource[];
  /** `group/version/plural` → built-in resource. */
  readonly #builtinByPath: ReadonlyMap<string, Resource>;
  /** CRD name → the CRD and its resources. */
  readonly #declared = new Map<string, { readonly crd: Crd; readonly resources: readonly Resource[] }>();
  /** Cached lists, rebuilt on the first read after a change. They are read with every write but rarely change. */
  #crds: readonly Crd[] | undefined;
  #resources: readonly Resource[] | undefined;

  constructor(builtin: readonly Resource[]) {
    this.#builtin = builtin;
    this.#builtinByPath = new Map(builtin.map((resource) => [pathOf(resource), resource]));
  }

  /** Loads all CustomResourceDefinitions of a store. */
  load(store: Store): void {
    const listing = store.list({ resource: crdResource.id });
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
    this.#resources ??= [...this.#builtin, ...this.#byName().flatMap(({ resources }) => resources)];
    return this.#resources;
  }

  #byName(): readonly { readonly resources: readonly Resource[] }[] {
    return [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, declared]) => declared);
  }

  /** Finds the resource of a request path; undefined if it is not served. */
  find(group: string, version: string, plural: string): Resource | undefined {
    const builtin = this.#builtinByPath.get(pathOf({ group, version, plural }));
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

function pathOf({ group, version, plural }: Pick<Resource, "group" | "version" | "plural">): string {
  return `${group}/${version}/${plural}`;
}
