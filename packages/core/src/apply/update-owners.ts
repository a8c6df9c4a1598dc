import { compareTexts } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { checkType } from "./check.ts";
import { ownerId, secondsOf } from "./owner.ts";
import type { Owner, OwnerName, Owners } from "./owner.ts";
import { ownable, presentOwners, shiftOwners, withOwner } from "./ownership.ts";
import type { TrackedKind } from "./ownership.ts";

/** A write that is no apply: a create, an update or a patch. */
export interface TrackedUpdate {
  readonly kind: TrackedKind;
  /** The object as it was; a blank one on create. */
  readonly before: JsonValue;
  /** The object as the writer wants it, both without managedFields. */
  readonly after: JsonValue;
  readonly owners: Owners;
  readonly writer: OwnerName;
  readonly time: string;
}

/** More owners by update than this are not kept apart. */
const UPDATERS_MAX = 10;
const ANCIENT = "ancient-changes";

/**
 * The owners after a write: the writer owns what it changed, nobody owns what is gone. Owners are the same, times included, where the
 * write changes nothing. Throws an `UntypedValueError`.
 */
export function updateOwners(update: TrackedUpdate): Owners {
  const { kind, before, after, writer, time } = update;
  checkType(kind.type, after, "allowed");
  checkType(kind.type, before, "allowed");
  const owners = presentOwners(kind, update.owners);
  // The writer's earlier fields count as another's: what it changes now, it owns by this write.
  const { comparison, others } = shiftOwners(kind, before, after, owners, undefined);
  const { modified, added } = comparison();
  const changed = ownable(modified.union(added));
  if (changed.isEmpty) return others;
  const previous = others.get(ownerId(writer));
  const fields = previous === undefined ? changed : changed.union(previous.fields);
  return withoutAncient(withOwner(others, writer, fields, time));
}

/** Merges the oldest owners by update into one for each version, until there are few enough. */
function withoutAncient(owners: Owners): Owners {
  const updaters = [...owners].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= UPDATERS_MAX) return owners;
  const kept = new Map(owners);
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const [id, owner] of updaters.toSorted(byAge)) {
    if (count <= UPDATERS_MAX) break;
    const first = firsts.get(owner.apiVersion);
    if (first === undefined) {
      firsts.set(owner.apiVersion, id);
      continue;
    }
    const ancient: OwnerName = { manager: ANCIENT, operation: "Update", apiVersion: owner.apiVersion, subresource: "" };
    const bucket = ownerId(ancient);
    const older = kept.get(bucket) ?? kept.get(first);
    if (!kept.has(bucket)) kept.delete(first);
    const fields = older === undefined ? owner.fields : owner.fields.union(older.fields);
    kept.set(bucket, { ...ancient, fields, time: owner.time });
    // As with the real server this forgets the merged owners themselves when they come after another of the same second.
    kept.delete(id);
    count--;
  }
  return kept;
}

function byAge([a, first]: readonly [string, Owner], [b, second]: readonly [string, Owner]): number {
  return secondsOf(first) - secondsOf(second) || compareTexts(a, b);
}
