import { asCrd, crdResource } from "../kinds/index.ts";
import type { ResourceCatalog } from "../registry/index.ts";
import type { RecordChange, RecordChangeHandler } from "./change-feed.ts";

/**
 * Serves custom resources as soon as the write of the CRD is visible. The registry does the same after the write
 * returns, which may be later than the first controller run.
 */
export class CatalogUpdater implements RecordChangeHandler {
  readonly #catalog: ResourceCatalog;

  constructor(catalog: ResourceCatalog) {
    this.#catalog = catalog;
  }

  onReset(): void {}

  onChange({ key, current }: RecordChange): void {
    if (key.resource !== crdResource.id) return;
    if (current === undefined) this.#catalog.removeCrd(key.name);
    else this.#catalog.addCrd(asCrd(current.object));
  }
}
