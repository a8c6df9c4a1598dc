import { formatKey, keyOf, kindId, StatusError } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { liveObject } from "../apply/index.ts";
import { watchFailure } from "../cache/index.ts";
import type { WatchFailure } from "../cache/index.ts";
import type { Followed } from "../step/index.ts";
import { partLabel } from "./marks.ts";

const PAGE = 500;

/** Objects of a set as they were at one moment: what a plan goes by in place of the copies that a controller keeps up to date. */
export class Snapshot implements Followed {
  readonly #reach: Reach;
  readonly #objects = new Map<string, Map<string, KubeObject | undefined>>();
  readonly #failures = new Map<string, WatchFailure>();

  private constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** All objects of these kinds that are part of an Operand's set. */
  static async of(operandUid: string, kinds: readonly Kind[], reach: Reach): Promise<Snapshot> {
    const snapshot = new Snapshot(reach);
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
    const { client, signal } = this.#reach;
    const known = this.#known(kind);
    for await (const { items } of client.pages(kind, { labels: partLabel(operandUid), limit: PAGE, signal })) {
      for (const object of items) known.set(formatKey(keyOf(object)), object);
    }
  }

  /** Why a kind could not be listed; undefined when it was. Its objects are read one by one, with `look`. */
  failure(kind: Kind): WatchFailure | undefined {
    return this.#failures.get(kindId(kind));
  }

  /** Every kind that could not be listed. */
  get failures(): readonly WatchFailure[] {
    return [...this.#failures.values()];
  }

  /** As it was found; undefined also for what nobody has looked for. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined {
    return this.#known(kind).get(formatKey(key));
  }

  /** All that were found. */
  list(kind: Kind): readonly KubeObject[] {
    return [...this.#known(kind).values()].filter((object) => object !== undefined);
  }

  /** The object, asked for where it is not known yet; undefined when there is none. */
  async look(kind: Kind, key: ObjectKey): Promise<KubeObject | undefined> {
    const [known, id] = [this.#known(kind), formatKey(key)];
    if (!known.has(id)) known.set(id, await liveObject(this.#reach, kind, key));
    return known.get(id);
  }

  #known(kind: Kind): Map<string, KubeObject | undefined> {
    const id = kindId(kind);
    const found = this.#objects.get(id) ?? new Map<string, KubeObject | undefined>();
    this.#objects.set(id, found);
    return found;
  }
}
