import type { JsonObject, KubeObject } from "@levelset/core";
import { digestOf } from "./digest.ts";

/**
 * Remembers objects that do not show all that was applied although the server took it, because it keeps some value in another form
 * or drops it. It holds what an object looked like right after which manifest, so a change by anybody makes it unknown again; only
 * its status may move on. To forget, at the limit or in a new process, costs one apply that changes nothing.
 */
export class SettledObjects {
  readonly #max: number;
  /** The uid of an object → a hash of it and of its manifest; those used last come last. */
  readonly #known = new Map<string, string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether applying the manifest to this object would change nothing, as far as is known. */
  has(object: KubeObject, manifest: JsonObject): boolean {
    const known = this.#known.get(object.metadata.uid);
    return known !== undefined && known === stateOf(object, manifest);
  }

  /** Notes how the server answered an apply of the manifest. */
  add(object: KubeObject, manifest: JsonObject): void {
    const { uid } = object.metadata;
    this.#known.delete(uid);
    this.#known.set(uid, stateOf(object, manifest));
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#max && oldest !== undefined) this.#known.delete(oldest);
  }
}

function stateOf(object: KubeObject, manifest: JsonObject): string {
  const { resourceVersion: _v, generation: _g, managedFields: _f, ...metadata } = object.metadata;
  return digestOf([{ ...object, metadata, status: undefined }, manifest]);
}
