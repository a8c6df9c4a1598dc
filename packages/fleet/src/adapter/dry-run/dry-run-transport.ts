import { applyMergePatch } from "@levelset/core/apply";
import type { JsonObject } from "@levelset/core";
import { generationAnnotationOf, isClaimed, NotOwnedError, ownershipOf } from "../transport/index.ts";
import type {
  TransportApplyResult,
  TransportApplyOptions,
  OwnerInfo,
  Ownership,
  RemoveOptions,
  ObjectLocator,
  Transport,
} from "../transport/index.ts";
import { metadataOf, nameOf, objectOrEmpty } from "../json-parts.ts";

/**
 * Transport without side effects. Objects passed in as `discovery` exist from the start and replace applied objects of
 * the same name, including the status. A discovered object without owner labels counts as applied by this adapter
 * earlier; owner labels of another owner are respected. Deleting removes an object at once in Kubernetes; in Maestro
 * the object stays with a deletionTimestamp.
 */
export class DryRunTransport implements Transport {
  readonly kind: Transport["kind"];
  readonly #discovered: ReadonlyMap<string, JsonObject>;
  readonly #applied = new Map<string, JsonObject>();
  readonly #deleted = new Set<string>();

  constructor(kind: Transport["kind"], discovered: ReadonlyMap<string, JsonObject>) {
    this.kind = kind;
    this.#discovered = discovered;
  }

  ownership(object: JsonObject, mark: OwnerInfo): Ownership {
    const ownership = ownershipOf(object, mark);
    return ownership.kind === "unowned" ? { kind: "ours" } : ownership;
  }

  async find(target: ObjectLocator): Promise<readonly JsonObject[]> {
    const { by } = target;
    const names = by.kind === "name" ? [by.name] : new Set([...this.#discovered.keys(), ...this.#applied.keys()]);
    return [...names].flatMap((name) => {
      const object = this.#live(name);
      if (object === undefined) return [];
      if (by.kind === "name") return [object];
      const labels = objectOrEmpty(metadataOf(object)["labels"]);
      const isOne = object["kind"] === target.kind;
      return isOne && Object.entries(by.labels).every(([key, value]) => labels[key] === value) ? [object] : [];
    });
  }

  async apply(
    _target: ObjectLocator,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    const { recreate, owner } = options;
    const name = nameOf(manifest);
    const named = this.#live(name);
    const ownership: Ownership = named === undefined ? { kind: "ours" } : this.ownership(named, owner);
    if (named !== undefined && !isClaimed(ownership, options)) throw new NotOwnedError(named, ownership);
    this.#deleted.delete(name);
    this.#applied.set(name, manifest);
    const isSame = live !== undefined && generationAnnotationOf(live) === generationAnnotationOf(manifest);
    const as = live === undefined ? "created" : recreate ? "recreated" : isSame ? "unchanged" : "updated";
    return { as, live: this.#live(name) ?? manifest };
  }

  async delete(_target: ObjectLocator, live: JsonObject, options: RemoveOptions): Promise<void> {
    const name = nameOf(live);
    if (!isClaimed(this.ownership(live, options.owner), options)) return;
    if (this.kind === "kubernetes") this.#deleted.add(name);
    else {
      const deleted = { metadata: { deletionTimestamp: "1970-01-01T00:00:00Z" } };
      this.#applied.set(name, applyMergePatch(live, deleted) as JsonObject);
    }
  }

  /** Discovered objects take precedence over applied ones: they represent what the cluster would return. */
  #live(name: string): JsonObject | undefined {
    if (this.#deleted.has(name)) return undefined;
    const applied = this.#applied.get(name);
    const isDeleting = metadataOf(applied)["deletionTimestamp"] !== undefined;
    return isDeleting ? applied : (this.#discovered.get(name) ?? applied);
  }
}
