import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { Item } from "./item.ts";
import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { CUSTOM_STAGE, stageOf } from "./stage.ts";

/**
 * Where an object comes when its set is installed. Objects are installed from the lowest place to the highest, and removed from the
 * highest to the lowest.
 */
export interface Place {
  /** 0 for what steadyState has, 1 for what only postInstall has. */
  readonly phase: number;
  readonly wave: number;
  /** That of its kind, or of what it depends on. */
  readonly stage: number;
  /** How many dependencies come before it in that stage. */
  readonly depth: number;
}

/** The lists of a set, as `readManifest` makes them. */
export interface InstallLists {
  readonly steadyState: readonly Item[];
  readonly merged: readonly Item[];
}

/** The objects that may be applied at the same time, in the order in which that is: by wave, then by stage, then by dependency. */
export function groupsOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const places = placesOf(items);
  return grouped(items, places);
}

/** Where each object of a set comes, by `refId`. */
export function installOrder({ steadyState, merged }: InstallLists): ReadonlyMap<string, Place> {
  const first = new Set(steadyState.map(({ ref }) => refId(ref)));
  const places = placesOf(merged);
  return new Map(
    merged.map((item) => {
      const id = refId(item.ref);
      return [id, { ...places(item), phase: first.has(id) ? 0 : 1 }];
    }),
  );
}

/** Where objects come of which only the references are known: by kind, custom resources of CRDs in the same list last. */
export function placesOfRefs(refs: readonly LiveRef[]): ReadonlyMap<string, Place> {
  const declared = refs.filter(isCrd).map(({ name }) => name);
  const isDeclared = ({ group }: LiveRef): boolean =>
    group !== "" && declared.some((name) => name.endsWith(`.${group}`));
  return new Map(
    refs.map((ref) => {
      const stage = isDeclared(ref) ? CUSTOM_STAGE : stageOf(ref);
      return [refId(ref), { phase: 0, wave: 0, stage, depth: 0 }];
    }),
  );
}

/** References in the order in which they are removed: one group after the other. */
export function removalGroups<Ref extends LiveRef>(
  refs: readonly Ref[],
  places: ReadonlyMap<string, Place>,
): readonly (readonly Ref[])[] {
  const fallback = placesOfRefs(refs);
  const placeOf = (ref: Ref): Place => places.get(refId(ref)) ?? fallback.get(refId(ref)) ?? NOWHERE;
  return grouped(refs, placeOf).toReversed();
}

const NOWHERE: Place = { phase: 0, wave: 0, stage: 0, depth: 0 };

/** A place as it is stored: `PHASE.WAVE.STAGE.DEPTH`. */
export function formatPlace({ phase, wave, stage, depth }: Place): string {
  return [phase, wave, stage, depth].join(".");
}

/** Undefined for what is no place. */
export function parsePlace(text: string): Place | undefined {
  const [, phase, wave, stage, depth] = /^(\d+)\.(-?\d+)\.(\d+)\.(\d+)$/u.exec(text) ?? [];
  if (depth === undefined) return undefined;
  return { phase: Number(phase), wave: Number(wave), stage: Number(stage), depth: Number(depth) };
}

/**
 * The places of references, in their order, as an inventory stores them: `0.0.4.0x12,0.1.7.0`. Equal ones in a row are counted,
 * because every list of inventories carries them.
 */
export function formatOrder(refs: readonly LiveRef[], places: ReadonlyMap<string, Place>): string {
  const runs: { readonly text: string; count: number }[] = [];
  for (const ref of refs) {
    const text = formatPlace(places.get(refId(ref)) ?? NOWHERE);
    const last = runs.at(-1);
    if (last?.text === text) last.count++;
    else runs.push({ text, count: 1 });
  }
  return runs.map(({ text, count }) => (count === 1 ? text : `${text}x${count}`)).join(",");
}

/** What an inventory stores; undefined where it stores none, or one of another list. */
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
      places.set(refId(next.value), place);
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

/** Where each object of one list comes. There are no circles. */
function placesOf(items: readonly Item[]): (item: Item) => Place {
  const byId = new Map(items.map((item) => [refId(item.ref), item]));
  const custom = customKinds(items);
  const places = new Map<Item, Place>();
  const placeOf = (item: Item): Place => {
    const known = places.get(item);
    if (known !== undefined) return known;
    let [stage, depth] = [custom.has(kindOf(item.ref)) ? CUSTOM_STAGE : stageOf(item.ref), 0];
    for (const ref of item.dependsOn) {
      const other = byId.get(refId(ref));
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

/** The kinds that CRDs of the set declare: what finalizes their objects is installed with them, before them. */
function customKinds(items: readonly Item[]): ReadonlySet<string> {
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
