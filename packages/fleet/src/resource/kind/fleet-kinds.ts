import { InputError } from "@levelset/core";
import { EntityReader } from "./entity-reader.ts";
import { adapterConditionType, ROLL_UP_TYPES } from "./kind.ts";
import type { FleetKind } from "./kind.ts";
import type { SchemaComponents } from "./spec-schema.ts";

/** Path segments with another meaning. */
const RESERVED_PLURALS: readonly string[] = ["resources", "statuses", "force-delete", "history", "audit", "openapi"];

/** All kinds of a fleet. */
export interface FleetKinds {
  /** In declaration order. */
  readonly all: readonly FleetKind[];
  find(kind: string): FleetKind | undefined;
  findPlural(plural: string): FleetKind | undefined;
  /** Returns the kinds of a kind's children. */
  childrenOf(kind: string): readonly FleetKind[];
}

/**
 * Reads the `entities` of a configuration. `schemas` are the `components.schemas` of the OpenAPI document with the
 * spec schemas. Throws an InputError that lists every problem: a fleet never starts with only some of its kinds.
 */
export function readKinds(entities: unknown, schemas?: SchemaComponents): FleetKinds {
  if (!Array.isArray(entities) || entities.length === 0) {
    throw new InputError("entities: must be a list of kinds", { hint: "declare at least one, with kind and plural" });
  }
  const problems: string[] = [];
  const all = entities.flatMap((entity: unknown, index) => {
    const reader = new EntityReader(entity, index, schemas);
    const kind = reader.read();
    problems.push(...reader.problems);
    return kind === undefined ? [] : [kind];
  });
  problems.push(...twice(all), ...plurals(all), ...parents(all), ...references(all), ...conditionTypes(all));
  if (problems.length > 0) throw new InputError(`entities: ${problems.join("; ")}`);
  return indexed(all);
}

function indexed(all: readonly FleetKind[]): FleetKinds {
  const byKind = new Map(all.map((kind) => [kind.kind, kind]));
  const byPlural = new Map(all.map((kind) => [kind.plural, kind]));
  const byParent = Map.groupBy(all, ({ parent }) => parent?.kind);
  return {
    all,
    find: (kind) => byKind.get(kind),
    findPlural: (plural) => byPlural.get(plural),
    childrenOf: (kind) => byParent.get(kind) ?? [],
  };
}

function twice(all: readonly FleetKind[]): readonly string[] {
  return all.flatMap(({ kind, plural }, index) => {
    const earlier = all.slice(0, index);
    return [
      ...(earlier.some((other) => other.kind === kind) ? [`${kind}: duplicate kind`] : []),
      ...(earlier.some((other) => other.plural === plural) ? [`${kind}: duplicate plural ${plural}`] : []),
    ];
  });
}

function plurals(all: readonly FleetKind[]): readonly string[] {
  return all
    .filter(({ plural }) => RESERVED_PLURALS.includes(plural))
    .map(({ kind, plural }) => `${kind}: the plural ${plural} is reserved`);
}

function parents(all: readonly FleetKind[]): readonly string[] {
  return all.flatMap(({ kind, parent }) => {
    if (parent === undefined) return [];
    if (!all.some((other) => other.kind === parent.kind)) return [`${kind}: parent_kind: unknown kind ${parent.kind}`];
    const cycle = cycleFrom(kind, (name) => {
      const above = all.find((other) => other.kind === name)?.parent;
      return above === undefined ? [] : [above.kind];
    });
    return cycle === undefined ? [] : [`${kind}: parent_kind forms a cycle: ${cycle.join(" → ")}`];
  });
}

function references(all: readonly FleetKind[]): readonly string[] {
  const required = (name: string): readonly string[] => {
    const rules = all.find(({ kind }) => kind === name)?.references ?? [];
    return rules.filter(({ min }) => min > 0).map(({ targetKind }) => targetKind);
  };
  return all.flatMap(({ kind, references: rules }) => {
    const unknown = rules.filter(({ targetKind }) => !all.some((other) => other.kind === targetKind));
    const cycle = cycleFrom(kind, required);
    return [
      ...unknown.map(({ type, targetKind }) => `${kind}: references: ${type}: unknown target_kind ${targetKind}`),
      ...(cycle === undefined ? [] : [`${kind}: required references form a cycle: ${cycle.join(" → ")}`]),
    ];
  });
}

/** Returns a cycle from a name back to itself; undefined if there is none. */
function cycleFrom(start: string, next: (name: string) => readonly string[]): readonly string[] | undefined {
  const seen = new Set<string>();
  const visit = (path: readonly string[]): readonly string[] | undefined => {
    for (const name of next(path.at(-1) ?? start)) {
      if (name === start) return [...path, name];
      if (seen.has(name)) continue;
      seen.add(name);
      const cycle = visit([...path, name]);
      if (cycle !== undefined) return cycle;
    }
    return undefined;
  };
  return visit([start]);
}

/** Checks that condition types are unique. All kinds count, since an adapter of one kind may also report on another. */
function conditionTypes(all: readonly FleetKind[]): readonly string[] {
  const rollUps = Object.values(ROLL_UP_TYPES).flatMap(({ type, alias }): readonly string[] => [type, alias]);
  const ofAdapters = new Set(all.flatMap(({ requiredAdapters }) => requiredAdapters.map(adapterConditionType)));
  return all.flatMap(({ kind, conditions, requiredAdapters }) => {
    const types = requiredAdapters.map(adapterConditionType);
    const clash = types.find((type, index) => types.indexOf(type) !== index);
    const reserved = conditions.filter(({ type }) => rollUps.includes(type) || ofAdapters.has(type));
    return [
      ...reserved.map(({ type }) => `${kind}: conditions: the type ${type} is reserved`),
      ...(clash === undefined ? [] : [`${kind}: required_adapters: two adapters map to the condition ${clash}`]),
    ];
  });
}
