import { canonicalJson, parseJson, stringifyJson } from "@levelset/core/internal";
import { isJsonObject, kindId } from "@levelset/core";
import type { JsonValue, Kind, KubeObject } from "@levelset/core";

/** Returns all objects of some kinds without random and time-dependent fields, so that two states can be compared. */
export async function snapshotObjects(
  kinds: readonly Kind[],
  list: (kind: Kind) => Promise<readonly KubeObject[]>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const names = new Map<string, string>();
  for (const kind of kinds) {
    for (const object of await list(kind)) {
      const { uid, name } = object.metadata;
      names.set(uid, `uid of ${kindId(kind)} ${name}`);
      lines.push(canonicalJson(withoutChance(parseJson(stringifyJson(object)))));
    }
  }
  const named = (line: string): string =>
    [...names].reduce((reported, [uid, name]) => reported.replaceAll(uid, name), line);
  return lines.map(named).toSorted();
}

/** Returns the differences of two snapshots; both lists are empty if they are equal. */
export function diffSnapshots(
  expected: readonly string[],
  actual: readonly string[],
): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  return {
    missing: expected.filter((line) => !actual.includes(line)),
    extra: actual.filter((line) => !expected.includes(line)),
  };
}

/** Result of `diffSnapshots` for equal snapshots. */
export const NO_DIFFERENCE: ReturnType<typeof diffSnapshots> = { missing: [], extra: [] };

/** Fields that differ between runs without faults. */
const CHANCE: ReadonlySet<string> = new Set([
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "lastTransitionTime",
  "lastUpdateTime",
  "lastProbeTime",
  "startTime",
  "completionTime",
  "finishedAt",
  // A hash of paths; the path of an owner reference contains its uid.
  "levelset.dev/applied",
]);

function withoutChance(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutChance(item));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !CHANCE.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutChance(inner)]));
}
