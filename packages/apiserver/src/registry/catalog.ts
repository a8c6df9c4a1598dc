import type { Store } from "../store/index.ts";
import { BUILTINS, CRDS } from "./builtins.ts";
import { asCrd, isEstablished } from "./crd.ts";
import { resourcesOf } from "./resource.ts";
import type { Crd, Resource } from "./resource.ts";

const BUILTIN_BY_PATH: ReadonlyMap<string, Resource> = new Map(
  BUILTINS.map((resource) => [`${resource.group}/${resource.version}/${resource.plural}`, resource]),
);

/** What is served at the moment: the built-in resources and those that CustomResourceDefinitions declare. */
export class Catalog {
  /** Name of the declaration → it and its resources. */
  readonly #declared = new Map<string, { readonly crd: Crd; readonly resources: readonly Resource[] }>();
  /** Put together when they are asked for after a change: that happens with every write, changes hardly ever. */
  #crds: readonly Crd[] | undefined;
  #resources: readonly Resource[] | undefined;

  /** Reads all declarations of a store. */
  load(store: Store): void {
    const listing = store.list({ resource: CRDS.id });
    if (listing.kind === "compacted") return;
    for (const record of listing.records) this.declare(asCrd(record.object));
  }

  /** Serves what a new or changed declaration says. */
  declare(crd: Crd): void {
    if (this.#declared.get(crd.metadata.name)?.crd === crd) return;
    this.#declared.set(crd.metadata.name, { crd, resources: isEstablished(crd) ? resourcesOf(crd) : [] });
    this.#changed();
  }

  /** Stops serving. */
  withdraw(name: string): void {
    this.#declared.delete(name);
    this.#changed();
  }

  #changed(): void {
    this.#crds = undefined;
    this.#resources = undefined;
  }

  /** The declarations, established or not. */
  get crds(): readonly Crd[] {
    this.#crds ??= [...this.#declared.values()].map(({ crd }) => crd);
    return this.#crds;
  }

  /** Everything served, built-in resources first, declared ones by name. */
  get resources(): readonly Resource[] {
    this.#resources ??= [...BUILTINS, ...this.#byName().flatMap(({ resources }) => resources)];
    return this.#resources;
  }

  #byName(): readonly { readonly resources: readonly Resource[] }[] {
    return [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, declared]) => declared);
  }

  /** The resource behind a path. */
  find(group: string, version: string, plural: string): Resource | undefined {
    const builtin = BUILTIN_BY_PATH.get(`${group}/${version}/${plural}`);
    if (builtin !== undefined) return builtin;
    return this.#declared.get(`${plural}.${group}`)?.resources.find((resource) => resource.version === version);
  }

  /** The present form of a resource that may have been declared anew since. */
  current(resource: Resource): Resource {
    return resource.custom ? (this.find(resource.group, resource.version, resource.plural) ?? resource) : resource;
  }

  /** A resource in another of its versions, if it is served in it. */
  inVersion(resource: Resource, apiVersion: string): Resource | undefined {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return group === resource.group ? this.find(group, version, resource.plural) : undefined;
  }

  /** The declaration of a resource, if it is a declared one. */
  declarationOf(id: string): Crd | undefined {
    return this.#declared.get(id)?.crd;
  }
}
