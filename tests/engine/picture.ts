import { canonicalJson, isJsonObject, kindId, parseJson, stringifyJson } from "@levelset/core";
import type { JsonValue, Kind, KubeObject } from "@levelset/core";

/** All objects of some kinds without what chance and time decide, so that two ends can be compared. */
export async function picture(
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
  const named = (line: string): string => [...names].reduce((told, [uid, name]) => told.replaceAll(uid, name), line);
  return lines.map(named).toSorted();
}

/** In what two pictures differ: nothing in either list when they are the same. */
export function difference(
  expected: readonly string[],
  actual: readonly string[],
): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  return {
    missing: expected.filter((line) => !actual.includes(line)),
    extra: actual.filter((line) => !expected.includes(line)),
  };
}

/** What `difference` finds in what is the same. */
export const SAME: ReturnType<typeof difference> = { missing: [], extra: [] };

/** Fields that differ from one life to the next though nothing went wrong. */
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
  // A hash of paths, and the path of an owner reference holds its uid.
  "levelset.dev/applied",
]);

function withoutChance(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutChance(item));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !CHANCE.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutChance(inner)]));
}
