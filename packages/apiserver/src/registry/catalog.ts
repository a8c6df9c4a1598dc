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
  }

  /** Stops serving. */
  withdraw(name: string): void {
    this.#declared.delete(name);
  }

  /** The declarations, established or not. */
  get crds(): readonly Crd[] {
    return [...this.#declared.values()].map(({ crd }) => crd);
  }

  /** Everything served, built-in resources first, declared ones by name. */
  get resources(): readonly Resource[] {
    const declared = [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [...BUILTINS, ...declared.flatMap(([, { resources }]) => resources)];
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
