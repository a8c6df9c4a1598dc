import type { Difference, Violation, SimulationRule } from "../violation/index.ts";
import { compareSnapshots, describeKey, keyOf } from "../world/index.ts";
import type { GeneratedChildren, Journal, Snapshot } from "../world/index.ts";

const JOBS = "jobs.batch";

/** Two ends that should be equal. */
export interface Ends {
  readonly expected: Snapshot;
  readonly actual: Snapshot;
  /** Paths that differ between equal worlds. */
  readonly noise: ReadonlySet<string>;
  readonly rule: SimulationRule;
  /** How the actual end came about: `with faults`. */
  readonly actualIs: string;
  readonly expectedIs: string;
}

/**
 * Compares the two ends of equal histories. If a custom resource is not ready in the expected end, the children of the
 * program may depend on the path, and only the readiness of its objects is compared: the number of those that are ready,
 * because several may compete for a child, and the path decides which of them gets it.
 */
export function compareEnds(ends: Ends): Violation | undefined {
  const { expected, actual, noise, rule, actualIs, expectedIs } = ends;
  const hasReadyRoots = isHealthy(expected);
  const differences = hasReadyRoots
    ? compareSnapshots(expected, actual, noise)
    : compareSnapshots(rootsOf(expected, actual), rootsOf(actual, expected), noise).filter(isReadiness);
  const [first] = differences;
  if (first === undefined || (!hasReadyRoots && countReady(expected) === countReady(actual))) return undefined;
  const duplicated =
    rule === "restart-changes-the-end" || !hasReadyRoots ? undefined : findDuplicated(expected, actual);
  if (duplicated !== undefined && differences.some(({ object }) => object.startsWith(describeKey(duplicated.id)))) {
    return duplicatedViolation(duplicated, actualIs, differences);
  }
  const isLie = rule !== "restart-changes-the-end" && hasReadyRoots && isHealthy(actual);
  return {
    rule: isLie && rule === "faults-change-the-end" ? "ready-beside-other-world" : rule,
    object: first.object,
    message: `${describe(first)} ${actualIs}${differences.length > 1 ? `, and ${differences.length - 1} more differences` : ""}.`,
    expected: `The end is the same as ${expectedIs}.`,
    differences,
  };
}

interface Duplicated extends GeneratedChildren {
  readonly wanted: number;
}

/** Finds children with generated names of which their owner has more than in the expected end. */
function findDuplicated(expected: Snapshot, actual: Snapshot): Duplicated | undefined {
  for (const children of actual.generated) {
    const same = expected.generated.find(({ id, owner }) => id === children.id && owner === children.owner);
    if (same !== undefined && children.count > same.count) return { ...children, wanted: same.count };
  }
  return undefined;
}

function duplicatedViolation(
  { id, owner, count, wanted }: Duplicated,
  actualIs: string,
  differences: readonly Difference[],
): Violation {
  const object = describeKey(id);
  return {
    rule: "child-duplicated",
    object,
    message: `${describeKey(owner)} has ${count} children ${object} ${actualIs}, not ${wanted}.`,
    expected: "One child exists for each intent: a generated name does not stop a second create.",
    differences,
  };
}

/** Reports whether all custom resources of the user are ready. */
export function isHealthy({ roots }: Pick<Snapshot, "roots">): boolean {
  return [...roots.values()].every(Boolean);
}

function countReady({ roots }: Snapshot): number {
  return [...roots.values()].filter(Boolean).length;
}

/** Returns the snapshot without objects that are no custom resources of the user in both snapshots. */
function rootsOf(snapshot: Snapshot, other: Snapshot): Snapshot {
  const isRoot = ([key]: readonly [string, unknown]): boolean => snapshot.roots.has(key) && other.roots.has(key);
  return { ...snapshot, objects: new Map([...snapshot.objects].filter(isRoot)) };
}

function isReadiness({ path }: Difference): boolean {
  return path === "status.ready";
}

function describe({ object, path, expected, actual }: Difference): string {
  if (path === "") return actual === undefined ? `${object} is missing` : `${object} exists`;
  const short = (text: string | undefined): string =>
    text === undefined ? "absent" : text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return `${object}: ${path} is ${short(actual)} instead of ${short(expected)}`;
}

/**
 * Returns key of a child → the number of objects that had its name, without those that were deleted with their
 * controller or by a user. Jobs that a user deleted are left out: whether one runs again depends on whether it had
 * completed before.
 */
export function countIncarnations(journal: Journal, userDeleted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const named = journal
    .all()
    .filter((record) => journal.isChild(record) && record.object.metadata.generateName === undefined);
  return new Map(
    named
      .filter(({ resource, uids }) => resource !== JOBS || !uids.some((uid) => userDeleted.has(uid)))
      .map((record) => {
        const counted = record.uids.filter((uid) => !record.garbage.has(uid) && !userDeleted.has(uid));
        return [keyOf(record), counted.length];
      }),
  );
}

/** What {@link findReplaced} compares of a run. */
export interface Incarnations {
  /** The result of {@link countIncarnations}. */
  readonly incarnations: ReadonlyMap<string, number>;
  readonly rest: Pick<Snapshot, "objects">;
}

/**
 * Finds children that were deleted and created again more often than without faults. A child that is not counted in the
 * expected run may exist once. One that does not exist at its end, such as an expired token, may be deleted earlier for a
 * spec that is seen late, and be wanted again.
 */
export function findReplaced(expected: Incarnations, actual: Incarnations, cause: string): readonly Violation[] {
  const wanted = (id: string): number => Math.max(1, expected.incarnations.get(id) ?? 1);
  const replaced = [...actual.incarnations].filter(([id, each]) => each > wanted(id));
  const [key, count] = replaced.find(([id]) => expected.rest.objects.has(id)) ?? [];
  if (key === undefined) return [];
  const object = describeKey(key);
  return [
    {
      rule: "child-replaced",
      object,
      message: `${object} was deleted and created again ${cause}: ${count} objects had this name, not ${wanted(key)}.`,
      expected: "A child is not replaced without a change of its spec.",
    },
  ];
}

/**
 * Finds a child that was deleted together with an object to which it does not belong, and created again. Another object
 * may create a child under a name that a child of the deleted object, in `own` as text, had.
 */
export function findTakenChildren(
  deleted: string,
  own: ReadonlySet<string>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly Violation[] {
  const [key] = [...after].find(([id, count]) => count > (before.get(id) ?? count) && !own.has(describeKey(id))) ?? [];
  if (key === undefined) return [];
  const object = describeKey(key);
  return [
    {
      rule: "foreign-touched",
      object,
      message: `${object} was deleted together with ${deleted}, to which it does not belong, and created again.`,
      expected: "Only the children of the deleted object are deleted.",
    },
  ];
}
