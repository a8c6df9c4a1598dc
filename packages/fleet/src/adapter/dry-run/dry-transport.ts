import { applyMergePatch } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { generationOf } from "../transport/index.ts";
import type { AppliedAs, Target, Transport } from "../transport/index.ts";
import { metadataOf, nameOf, objectOf } from "../json-parts.ts";

/**
 * A transport that touches nothing. What it is told to find beforehand is there, and stands for what is applied under the same name, with the status that
 * a live object would have. A deleted object is gone at once in Kubernetes, and stays with a deletionTimestamp in Maestro.
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

  async find(target: Target): Promise<JsonObject | undefined> {
    const { by } = target;
    if (by.kind === "name") return this.#live(by.name);
    const names = new Set([...this.#given.keys(), ...this.#applied.keys()]);
    return [...names]
      .map((name) => this.#live(name))
      .find((object) => {
        const labels = objectOf(metadataOf(object)["labels"]);
        const isKind = object?.["kind"] === target.kind;
        return isKind && Object.entries(by.labels).every(([key, value]) => labels[key] === value);
      });
  }

  async apply(
    _target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { isRecreated }: { readonly isRecreated: boolean },
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    const name = nameOf(manifest);
    this.#gone.delete(name);
    this.#applied.set(name, manifest);
    const isSame = live !== undefined && generationOf(live) === generationOf(manifest);
    const as = live === undefined ? "created" : isRecreated ? "recreated" : isSame ? "unchanged" : "updated";
    return { as, live: this.#live(name) ?? manifest };
  }

  async remove(_target: Target, live: JsonObject): Promise<void> {
    const name = nameOf(live);
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
