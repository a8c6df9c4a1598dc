import { formatKey, objectKeyOf, kindId, StatusError } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { ClientContext } from "../../apply/index.ts";
import { liveObject } from "../../apply/index.ts";
import { watchFailure } from "../../cache/index.ts";
import type { WatchFailure } from "../../cache/index.ts";
import type { WatchedObjects } from "../../engine/index.ts";
import { partLabel } from "../spec/labels-and-annotations.ts";

const PAGE = 500;

/** Objects of a set at one moment. A plan uses it in place of a controller's cache. */
export class SetSnapshot implements WatchedObjects {
  readonly #context: ClientContext;
  readonly #objects = new Map<string, Map<string, KubeObject | undefined>>();
  readonly #failures = new Map<string, WatchFailure>();

  private constructor(context: ClientContext) {
    this.#context = context;
  }

  /** Lists all objects of these kinds that belong to an Operand. */
  static async of(operandUid: string, kinds: readonly Kind[], context: ClientContext): Promise<SetSnapshot> {
    const snapshot = new SetSnapshot(context);
    for (const kind of kinds) {
      try {
        await snapshot.#list(kind, operandUid);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        snapshot.#failures.set(kindId(kind), watchFailure(kind, "list", error));
      }
    }
    return snapshot;
  }

  async #list(kind: Kind, operandUid: string): Promise<void> {
    const { client, signal } = this.#context;
    const known = this.#known(kind);
    for await (const { items } of client.pages(kind, { labels: partLabel(operandUid), limit: PAGE, signal })) {
      for (const object of items) known.set(formatKey(objectKeyOf(object)), object);
    }
  }

  /** Returns why a kind could not be listed; undefined if it was. Its objects are read one by one with `getLive`. */
  failure(kind: Kind): WatchFailure | undefined {
    return this.#failures.get(kindId(kind));
  }

  /** Every kind that could not be listed. */
  get failures(): readonly WatchFailure[] {
    return [...this.#failures.values()];
  }

  /** Returns an object as listed or read; undefined also if it was never read. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined {
    return this.#known(kind).get(formatKey(key));
  }

  /** Returns all listed and read objects of a kind. */
  list(kind: Kind): readonly KubeObject[] {
    return [...this.#known(kind).values()].filter((object) => object !== undefined);
  }

  /** Returns an object, and reads it if it is not known yet; undefined if it does not exist. */
  async getLive(kind: Kind, key: ObjectKey): Promise<KubeObject | undefined> {
    const [known, id] = [this.#known(kind), formatKey(key)];
    if (!known.has(id)) known.set(id, await liveObject(this.#context, kind, key));
    return known.get(id);
  }

  #known(kind: Kind): Map<string, KubeObject | undefined> {
    const id = kindId(kind);
    const found = this.#objects.get(id) ?? new Map<string, KubeObject | undefined>();
    this.#objects.set(id, found);
    return found;
  }
}
