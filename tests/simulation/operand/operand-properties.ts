import { ConfigMap, Deployment, isDeleting, isReady, Job, Secret, Service } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Monitor, Property, PropertyWorld } from "@levelset/simulation";
import { InvariantChecker, kindName } from "../../faults/operand/invariants.ts";

const SET_KINDS = [ConfigMap, Secret, Service, Deployment] as const;
const MANAGED = /^operand\.levelset\.dev\/(?<uid>[0-9a-f]{8}-.*)$/u;

/** The invariants I1 to I5 after every write. */
export function invariants(): Monitor {
  const checker = new InvariantChecker({ hasRaces: true });
  return ({ kind, object, isDeletedByUser }) => {
    const group = object.apiVersion.includes("/") ? (object.apiVersion.split("/")[0] ?? "") : "";
    // A Job may be gone after it has run.
    if (isDeletedByUser || object.kind === "Job") checker.allowViolation(object);
    try {
      checker.observe([{ kind: kindName({ kind: object.kind, group }), isGone: kind === "deleted", object }]);
      return undefined;
    } catch (error) {
      return (error as Error).message.split("\n")[0]; // the second line is the object as JSON
    }
  };
}

/** Objects that only resemble those of an Operand, by their labels, are neither applied nor deleted. */
export function foreignObjects(): Monitor {
  return ({ kind, object, isDeletedByUser }) => {
    const { name, managedFields = [] } = object.metadata;
    if (!name.startsWith("foreign-") || isDeletedByUser) return undefined;
    if (kind === "deleted") return `${describe(object)} is deleted`;
    const isApplied = managedFields.some(({ manager = "" }) => manager.startsWith("operand.levelset.dev/"));
    return isApplied ? `${describe(object)} is applied` : undefined;
  };
}

/** Every Operand that is ready has exactly one inventory, which is named in its status. */
export const oneInventoryWhenReady: Property = (world) => {
  for (const operand of world.list(Operand).filter((each) => isReady(each) && !isDeleting(each))) {
    const names = inventoriesOf(world, operand).map(({ metadata }) => metadata.name);
    const { latestReadyActiveOperand: baseline } = operand.status ?? {};
    if (names.length !== 1 || names[0] !== baseline)
      return `${operand.metadata.name} is ready with the inventories ${names.join()}, baseline ${baseline}`;
  }
  return undefined;
};

/** Every object of a ready Operand exists and is owned, unless it is a Job, which may be gone after it has run. */
export const completeAtRest: Property = (world) => {
  for (const operand of world.list(Operand).filter((each) => isReady(each) && !isDeleting(each))) {
    for (const inventory of inventoriesOf(world, operand)) {
      for (const { kind, namespace, name } of inventory.spec.live) {
        const known = SET_KINDS.find((each) => each.kind === kind);
        if (known === undefined) continue;
        const object: KubeObject | undefined = world.get<Kind>(known, name, namespace);
        if (object === undefined) return `${kind} ${name} of ${operand.metadata.name} is missing`;
        if (object.metadata.ownerReferences?.some(({ uid }) => uid === inventory.metadata.uid) !== true)
          return `${kind} ${name} of ${operand.metadata.name} is not owned by its inventory`;
      }
    }
  }
  return undefined;
};

/** After rest, every object with the label of an Operand is listed by one of its inventories, or waits to be pruned. */
export const nothingUndesiredAtRest: Property = (world) => {
  const operands = new Map(world.list(Operand).map((operand) => [operand.metadata.uid, operand]));
  for (const object of managedObjects(world)) {
    for (const uid of uidsOf(object)) {
      const operand = operands.get(uid);
      if (operand === undefined) return `${describe(object)} is marked by an Operand that does not exist`;
      const isListed = inventoriesOf(world, operand).some(({ spec }) =>
        spec.live.some(({ kind, name }) => kind === object.kind && name === object.metadata.name),
      );
      const isPending = (operand.status?.pending ?? []).some(({ name }) => name === object.metadata.name);
      if (!isListed && !isPending) return `${describe(object)} belongs to no version of ${operand.metadata.name}`;
    }
  }
  return undefined;
};

/** No Job is left behind without its Operand. */
export const noUnownedJobs: Property = (world) => {
  const uids = new Set(world.list(Operand).map(({ metadata }) => metadata.uid));
  const left = world.list(Job).find((job) => uidsOf(job).some((uid) => !uids.has(uid)));
  return left === undefined ? undefined : `${describe(left)} is marked by an Operand that does not exist`;
};

function inventoriesOf(world: PropertyWorld, operand: KubeObject): readonly ObjectOf<ClusterActiveOperand>[] {
  return world
    .list(ClusterActiveOperand)
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === operand.metadata.uid));
}

function managedObjects(world: PropertyWorld): readonly KubeObject[] {
  return SET_KINDS.flatMap((kind): readonly KubeObject[] => world.list<Kind>(kind)).filter(
    (object) => uidsOf(object).length > 0,
  );
}

/** Returns the uids of the Operands that have applied an object. Another client may copy their labels. */
function uidsOf({ metadata }: KubeObject): readonly string[] {
  if (metadata.managedFields?.some(({ manager = "" }) => manager.startsWith("operand.levelset.dev/")) !== true)
    return [];
  return Object.keys(metadata.labels ?? {}).flatMap((label) => MANAGED.exec(label)?.groups?.["uid"] ?? []);
}

function describe({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
