import { asCrd, CRDS } from "../registry/index.ts";
import type { Catalog } from "../registry/index.ts";
import type { Change, Follower } from "./feed.ts";

/**
 * Serves declared kinds from the very moment of the write that declares them: the registry does so too, but only once its
 * writer goes on, which is later than controllers may begin.
 */
export class CatalogFollower implements Follower {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  reset(): void {}

  follow({ key, now }: Change): void {
    if (key.resource !== CRDS.id) return;
    if (now === undefined) this.#catalog.withdraw(key.name);
    else this.#catalog.declare(asCrd(now.object));
  }
}
