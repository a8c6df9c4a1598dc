import type { EmbeddedObject, KubeObject } from "@levelset/core";
import { ApplyCache } from "../../apply/index.ts";

/** Maximum number of objects that differ from the applied body because the server normalizes a value. */
const NORMALIZED_MAX = 50_000;

/**
 * What is known about applied objects of Operands. It outlives single runs, and the operators of one
 * process share it. A plan starts with an empty one.
 */
export class ItemCache extends ApplyCache {
  /** Cached objects that were found equal to a manifest under an inventory, so that they are not compared again. */
  readonly #equal = new WeakMap<KubeObject, { readonly manifest: EmbeddedObject; readonly inventory: string }>();

  constructor() {
    super(NORMALIZED_MAX);
  }

  /** Reports whether this copy of an object was found equal to the manifest under the inventory of this uid. */
  isEqual(live: KubeObject, manifest: EmbeddedObject, inventory: string): boolean {
    const known = this.#equal.get(live);
    return known?.manifest === manifest && known.inventory === inventory;
  }

  /** Records that this copy of an object is equal to the manifest under the inventory of this uid. */
  setEqual(live: KubeObject, manifest: EmbeddedObject, inventory: string): void {
    this.#equal.set(live, { manifest, inventory });
  }
}
