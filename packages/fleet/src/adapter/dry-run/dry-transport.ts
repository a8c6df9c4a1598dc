import { applyMergePatch } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { generationOf, isClaimed, NotOurs, ownershipOf } from "../transport/index.ts";
import type { AppliedAs, ApplyOptions, Mark, Ownership, RemoveOptions, Target, Transport } from "../transport/index.ts";
import { metadataOf, nameOf, objectOf } from "../json-parts.ts";

/**
 * A transport that touches nothing. What it is told to find beforehand is there, and stands for what is applied under the same name, with the status that
 * a live object would have. It needs no marks for that: one without an owner counts as applied by this adapter before, one with the marks of another
 * owner is that owner's. A deleted object is gone at once in Kubernetes, and stays with a deletionTimestamp in Maestro.
 */
export class DryTransport implements Transport {
  readonly kind: Transport["kind"];
  readonly #given: ReadonlyMap<string, JsonObject>;
  readonly #applied = new Map<string, JsonObject>();
  readonly #gone = new Set<string>();

  constructor(kind: Transport["kind"], given: ReadonlyMap<string, JsonObject>) {
    this.kind = kind;
    this.#given = given;
  }

  ownership(object: JsonObject, mark: Mark): Ownership {
    const ownership = ownershipOf(object, mark);
    return ownership.kind === "unowned" ? { kind: "ours" } : ownership;
  }

  async find(target: Target): Promise<readonly JsonObject[]> {
    const { by } = target;
    const names = by.kind === "name" ? [by.name] : new Set([...this.#given.keys(), ...this.#applied.keys()]);
    return [...names].flatMap((name) => {
      const object = this.#live(name);
      if (object === undefined) return [];
      if (by.kind === "name") return [object];
      const labels = objectOf(metadataOf(object)["labels"]);
      const isOne = object["kind"] === target.kind;
      return isOne && Object.entries(by.labels).every(([key, value]) => labels[key] === value) ? [object] : [];
    });
  }

  async apply(
    _target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    const { isRecreated, mark } = options;
    const name = nameOf(manifest);
    const named = this.#live(name);
    const ownership: Ownership = named === undefined ? { kind: "ours" } : this.ownership(named, mark);
    if (named !== undefined && !isClaimed(ownership, options)) throw new NotOurs(named, ownership);
    this.#gone.delete(name);
    this.#applied.set(name, manifest);
    const isSame = live !== undefined && generationOf(live) === generationOf(manifest);
    const as = live === undefined ? "created" : isRecreated ? "recreated" : isSame ? "unchanged" : "updated";
    return { as, live: this.#live(name) ?? manifest };
  }

  async remove(_target: Target, live: JsonObject, options: RemoveOptions): Promise<void> {
    const name = nameOf(live);
    if (!isClaimed(this.ownership(live, options.mark), options)) return;
    if (this.kind === "kubernetes") this.#gone.add(name);
    else {
      const deleted = { metadata: { deletionTimestamp: "1970-01-01T00:00:00Z" } };
      this.#applied.set(name, applyMergePatch(live, deleted) as JsonObject);
    }
  }

  /** What was given wins over what was applied: it is what the other side would have made of it. */
  #live(name: string): JsonObject | undefined {
    if (this.#gone.has(name)) return undefined;
    const applied = this.#applied.get(name);
    const isDeleting = metadataOf(applied)["deletionTimestamp"] !== undefined;
    return isDeleting ? applied : (this.#given.get(name) ?? applied);
  }
}
