import type { SpecOf } from "@levelset/core";
import { readItem } from "./item.ts";
import type { Item } from "./item.ts";
import type { Operand } from "./kinds.ts";
import { refId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

/** Specs are frozen, and asked in every run: what they say is read once. */
const known = new WeakMap<SpecOf<Operand>, readonly Item[]>();

/** The objects that the spec asks for, each once, also when parts of it cannot be understood. */
export function desiredItems({ spec }: { readonly spec: SpecOf<Operand> }): readonly Item[] {
  const found = known.get(spec) ?? readItems(spec);
  known.set(spec, found);
  return found;
}

function readItems(spec: SpecOf<Operand>): readonly Item[] {
  const lists = { steadyState: spec.steadyState, postInstall: spec.postInstall };
  const items = Object.entries(lists).flatMap(([list, objects]) =>
    objects.map((object, index) => readItem(object, `${list}[${index}]`)),
  );
  const good = items.flatMap((item) => ("problem" in item ? [] : [item]));
  return [...new Map(good.map((item) => [refId(item.ref), item])).values()];
}

/** Their references, sorted. */
export function desiredRefs(operand: { readonly spec: SpecOf<Operand> }): readonly LiveRef[] {
  return sortRefs(desiredItems(operand).map(({ ref }) => ref));
}
