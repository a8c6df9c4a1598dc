import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ManifestItem } from "./item.ts";
import { liveRefId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { CUSTOM_STAGE, installOrderOf } from "./stage.ts";

/**
 * Position of an object in the install order. Objects are installed in ascending order and removed in descending order.
 */
export interface Place {
  /** 0 for objects in steadyState, 1 for objects only in postInstall. */
  readonly phase: number;
  readonly wave: number;
  /** Stage of its kind, or that of its dependencies if later. */
  readonly stage: number;
  /** Length of the dependency chain within the stage. */
  readonly depth: number;
}

/** Lists of a set, as returned by `parseManifestSet`. */
export interface InstallLists {
  readonly steadyState: readonly ManifestItem[];
  readonly merged: readonly ManifestItem[];
}

/** Returns groups of objects that may be applied concurrently, in order: by wave, then stage, then dependency. */
export function groupsOf(items: readonly ManifestItem[]): readonly (readonly ManifestItem[])[] {
  const places = placesOf(items);
  return grouped(items, places);
}

/** Returns the position of each object of a set, by `refId`. */
export function installOrder({ steadyState, merged }: InstallLists): ReadonlyMap<string, Place> {
  const first = new Set(steadyState.map(({ ref }) => liveRefId(ref)));
  const places = placesOf(merged);
  return new Map(
    merged.map((item) => {
      const id = liveRefId(item.ref);
      return [id, { ...places(item), phase: first.has(id) ? 0 : 1 }];
    }),
  );
}

/** Returns positions of bare references: by kind, with custom resources of CRDs in the same list last. */
export function placesOfRefs(refs: readonly LiveRef[]): ReadonlyMap<string, Place> {
  const declared = refs.filter(isCrd).map(({ name }) => name);
  const isDeclared = ({ group }: LiveRef): boolean =>
    group !== "" && declared.some((name) => name.endsWith(`.${group}`));
  return new Map(
    refs.map((ref) => {
      const stage = isDeclared(ref) ? CUSTOM_STAGE : installOrderOf(ref);
      return [liveRefId(ref), { phase: 0, wave: 0, stage, depth: 0 }];
    }),
  );
}

/** Returns references in removal order, as groups. */
export function removalGroups<Ref extends LiveRef>(
  refs: readonly Ref[],
  places: ReadonlyMap<string, Place>,
): readonly (readonly Ref[])[] {
  const fallback = placesOfRefs(refs);
  const placeOf = (ref: Ref): Place => places.get(liveRefId(ref)) ?? fallback.get(liveRefId(ref)) ?? NOWHERE;
  return grouped(refs, placeOf).toReversed();
}

const NOWHERE: Place = { phase: 0, wave: 0, stage: 0, depth: 0 };

/** Formats a position for storage: `PHASE.WAVE.STAGE.DEPTH`. */
export function formatPlace({ phase, wave, stage, depth }: Place): string {
  return [phase, wave, stage, depth].join(".");
}

/** Parses a stored position; undefined if invalid. */
export function parsePlace(text: string): Place | undefined {
  const [, phase, wave, stage, depth] = /^(\d+)\.(-?\d+)\.(\d+)\.(\d+)$/u.exec(text) ?? [];
  if (depth === undefined) return undefined;
  return { phase: Number(phase), wave: Number(wave), stage: Number(stage), depth: Number(depth) };
}

/**
 * Formats the positions of references for an inventory: `0.0.4.0x12,0.1.7.0`. Runs of equal positions are counted to
 * keep lists of inventories small.
 */
export function formatOrder(refs: readonly LiveRef[], places: ReadonlyMap<string, Place>): string {
  const runs: { readonly text: string; count: number }[] = [];
  for (const ref of refs) {
    const text = formatPlace(places.get(liveRefId(ref)) ?? NOWHERE);
    const last = runs.at(-1);
    if (last?.text === text) last.count++;
    else runs.push({ text, count: 1 });
  }
  return runs.map(({ text, count }) => (count === 1 ? text : `${text}x${count}`)).join(",");
}

/** Parses the order stored in an inventory; undefined if it is missing or belongs to another list. */
export function parseOrder(refs: readonly LiveRef[], text: string | undefined): ReadonlyMap<string, Place> | undefined {
  const places = new Map<string, Place>();
  const left = refs.values();
  for (const run of text === undefined || text === "" ? [] : text.split(",")) {
    const [, one = "", times = "1"] = /^([^x]*)(?:x(\d{1,6}))?$/u.exec(run) ?? [];
    const place = parsePlace(one);
    if (place === undefined) return undefined;
    for (let count = Number(times); count > 0; count--) {
      const next = left.next();
      if (next.done === true) return undefined;
      places.set(liveRefId(next.value), place);
    }
  }
  return places.size === refs.length ? places : undefined;
}

function comparePlaces(a: Place, b: Place): number {
  return a.phase - b.phase || a.wave - b.wave || a.stage - b.stage || a.depth - b.depth;
}

function grouped<T>(things: readonly T[], placeOf: (thing: T) => Place): readonly (readonly T[])[] {
  const placed = things.map((thing) => ({ thing, place: placeOf(thing) }));
  const sorted = placed.toSorted((a, b) => comparePlaces(a.place, b.place));
  const groups = Map.groupBy(sorted, ({ place }) => formatPlace(place));
  return [...groups.values()].map((group) => group.map(({ thing }) => thing));
}

/** Returns the position of each object of one list, which has no cycles. */
function placesOf(items: readonly ManifestItem[]): (item: ManifestItem) => Place {
  const byId = new Map(items.map((item) => [liveRefId(item.ref), item]));
  const custom = customKinds(items);
  const places = new Map<ManifestItem, Place>();
  const placeOf = (item: ManifestItem): Place => {
    const known = places.get(item);
    if (known !== undefined) return known;
    let [stage, depth] = [custom.has(kindOf(item.ref)) ? CUSTOM_STAGE : installOrderOf(item.ref), 0];
    for (const ref of item.dependsOn) {
      const other = byId.get(liveRefId(ref));
      if (other === undefined) continue;
      const before = placeOf(other);
      if (before.stage > stage) [stage, depth] = [before.stage, 0];
      if (before.stage === stage) depth = Math.max(depth, before.depth + 1);
    }
    const place = { phase: 0, wave: item.wave, stage, depth };
    places.set(item, place);
    return place;
  };
  return placeOf;
}

/**
 * Returns the kinds that CRDs of the set declare. Their operator, which finalizes their objects, is installed before
 * them.
 */
function customKinds(items: readonly ManifestItem[]): ReadonlySet<string> {
  return new Set(
    items
      .filter(({ ref }) => isCrd(ref))
      .flatMap(({ object }) => {
        const { group, names } = asMap(object["spec"]);
        const { kind } = asMap(names);
        return typeof group === "string" && typeof kind === "string" ? [kindOf({ group, kind })] : [];
      }),
  );
}

function kindOf({ group, kind }: Pick<LiveRef, "group" | "kind">): string {
  return `${kind}.${group}`;
}

function isCrd(ref: Pick<LiveRef, "group" | "kind">): boolean {
  return kindOf(ref) === "CustomResourceDefinition.apiextensions.k8s.io";
}

function asMap(value: JsonValue | undefined): Readonly<Record<string, JsonValue | undefined>> {
  return isJsonObject(value) ? value : {};
}
