import type { SpecOf } from "@levelset/core";
import { parseItem } from "./item.ts";
import type { ManifestItem } from "./item.ts";
import type { Operand } from "./operand-kinds.ts";
import { liveRefId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

/** Parsed items by spec. Specs are frozen and read in every run. */
const known = new WeakMap<SpecOf<Operand>, readonly ManifestItem[]>();

/** Returns the objects of the spec, each once. Skips entries that are invalid. */
export function desiredItems({ spec }: { readonly spec: SpecOf<Operand> }): readonly ManifestItem[] {
  const found = known.get(spec) ?? readItems(spec);
  known.set(spec, found);
  return found;
}

function readItems(spec: SpecOf<Operand>): readonly ManifestItem[] {
  const lists = { steadyState: spec.steadyState, postInstall: spec.postInstall };
  const items = Object.entries(lists).flatMap(([list, objects]) =>
    objects.map((object, index) => parseItem(object, `${list}[${index}]`)),
  );
  const good = items.flatMap((item) => ("problem" in item ? [] : [item]));
  return [...new Map(good.map((item) => [liveRefId(item.ref), item])).values()];
}

/** Returns the sorted references of the objects in the spec. */
export function desiredRefs(operand: { readonly spec: SpecOf<Operand> }): readonly LiveRef[] {
  return sortRefs(desiredItems(operand).map(({ ref }) => ref));
}
