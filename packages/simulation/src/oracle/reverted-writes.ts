import type { JsonObject } from "@levelset/core";
import type { ApiObject, StoreEvent } from "@levelset/apiserver";
import { formatId, idOf } from "../history/index.ts";
import { differencesOf } from "../violation/index.ts";
import type { Difference, Violation } from "../violation/index.ts";
import { noiseKey } from "../world/index.ts";

/** A child at the beginning, and its first change since. */
interface WatchedChild {
  readonly before: JsonObject;
  now: JsonObject;
  change: Difference | undefined;
}

/** Finds children that are changed and changed back while users do nothing. Create it at rest. */
export class RevertedWrites {
  readonly #children: ReadonlyMap<string, WatchedChild>;
  readonly #noise: ReadonlySet<string>;

  /** `noise` are the paths that differ between equal worlds. */
  constructor(children: readonly { readonly object: ApiObject }[], noise: ReadonlySet<string>) {
    this.#noise = noise;
    this.#children = new Map(
      children.map(({ object }) => {
        const before = desiredOf(object);
        return [object.metadata.uid, { before, now: before, change: undefined }];
      }),
    );
  }

  observe({ kind, record: { object } }: StoreEvent): void {
    const child = this.#children.get(object.metadata.uid);
    if (child === undefined || kind === "deleted") return;
    child.now = desiredOf(object);
    child.change ??= this.#differences(object, child)[0];
  }

  /** Returns the children that are again as they were. */
  violations(present: readonly { readonly object: ApiObject }[]): readonly Violation[] {
    return present.flatMap(({ object }): readonly Violation[] => {
      const child = this.#children.get(object.metadata.uid);
      if (child?.change === undefined || this.#differences(object, child).length > 0) return [];
      const { object: id, path, expected = "absent", actual = "absent" } = child.change;
      return [
        {
          rule: "writes-at-rest",
          object: id,
          message: `${id}: ${path} is changed from ${expected} to ${actual} and back after a restart at rest.`,
          expected: "A restart changes nothing: two steps or operators that write one field undo each other.",
        },
      ];
    });
  }

  #differences(object: ApiObject, { before, now }: WatchedChild): readonly Difference[] {
    return differencesOf(formatId(idOf(object)), before, now).filter((each) => !this.#noise.has(noiseKey(each)));
  }
}

/** Returns the fields that operators write: without the status, and without annotations, in which controllers count. */
function desiredOf({ apiVersion: _a, kind: _k, metadata, status: _s, ...fields }: ApiObject): JsonObject {
  return { ...(fields as JsonObject), labels: { ...metadata.labels } }; // a stored object is JSON
}
