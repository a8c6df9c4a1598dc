import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { EmbeddedObject, JsonObject, Kind, ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { Operand } from "../spec/operand-kinds.ts";
import { liveRefId } from "../spec/live-ref.ts";
import { operandManager } from "../operators.ts";
import { planOperand } from "./plan.ts";
import type { OperandPlan } from "./plan.ts";
import { comparableObject } from "../apply/comparable-object.ts";

/** Kinds of the generated objects. */
const KINDS = { ConfigMap, Secret, Service, ServiceAccount, Namespace } as const;

/** Spec of an Operand as a user writes it. */
export type Spec = Record<string, unknown>;

/** Client of the test itself; its requests are not counted. */
function clientOf(cluster: TestCluster): Client {
  return new Client({ fetch: cluster.fetch, fieldManager: "test" });
}

/** Returns the result of a dry run of an Operand with this spec. */
export async function dryRunOperand(cluster: TestCluster, spec: Spec): Promise<ObjectOf<Operand>> {
  const body = { metadata: { name: "set" }, spec } as never; // any spec: the server validates it
  return clientOf(cluster).apply(Operand, body, { dryRun: true, force: true, fieldManager: "asker" });
}

/** Applies an Operand with this spec. */
export async function applySpec(cluster: TestCluster, spec: Spec): Promise<void> {
  const body = { metadata: { name: "set" }, spec } as never;
  await clientOf(cluster).apply(Operand, body, { force: true, fieldManager: "asker" });
}

/** Plans an Operand. */
export async function planForOperand(cluster: TestCluster, operand: ObjectOf<Operand>): Promise<OperandPlan> {
  const client = clientOf(cluster);
  const { signal } = new AbortController();
  return planOperand(operand, { client, discovery: new Discovery(client), clock: cluster.clock, signal });
}

interface ObjectState {
  readonly uid: string;
  readonly visible: JsonObject;
}

/** Returns all objects of our kinds in comparable form. */
async function readState(cluster: TestCluster): Promise<ReadonlyMap<string, ObjectState>> {
  const seen = new Map<string, ObjectState>();
  for (const kind of Object.values(KINDS) as readonly Kind[]) {
    for (const object of await cluster.list(kind)) {
      const { name, namespace, uid } = object.metadata;
      const id = liveRefId({
        group: kind.group,
        kind: kind.kind,
        ...(namespace === undefined ? {} : { namespace }),
        name,
      });
      seen.set(id, { uid, visible: comparableObject(object, kind) });
    }
  }
  return seen;
}

/** Returns the changes between two states. */
function observedChanges(
  before: ReadonlyMap<string, ObjectState>,
  after: ReadonlyMap<string, ObjectState>,
): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined) changes[id] = "create";
    else if (is === undefined) changes[id] = "delete";
    else if (was.uid !== is.uid) changes[id] = "recreate";
    else if (!deepEqual(was.visible, is.visible)) changes[id] = "change";
  }
  return changes;
}

/** Returns the changes that a plan predicts. */
function plannedChanges(plan: OperandPlan): Record<string, string> {
  if (plan.kind === "invalid" || plan.isSuspended) return {};
  const acts = ["create", "change", "recreate", "delete"];
  return Object.fromEntries(
    [...plan.items, ...plan.prunes]
      .filter(({ action }) => acts.includes(action))
      .map(({ ref, action }) => [liveRefId(ref), action]),
  );
}

const NAMES = ["a", "b", "c"];
const PREFIX = "operand.levelset.dev";

/** Annotations that change how an object is handled. */
const annotations = fc.record(
  {
    [`${PREFIX}/mode`]: fc.constantFrom("Reconcile", "EnsureExists", "Ignore"),
    [`${PREFIX}/prune`]: fc.constantFrom("enabled", "disabled"),
    [`${PREFIX}/recreate`]: fc.constantFrom("true", "false"),
  },
  { requiredKeys: [] },
);

const values = fc.dictionary(fc.constantFrom("k", "l"), fc.constantFrom("1", "2"), { maxKeys: 2 });

const manifest: fc.Arbitrary<EmbeddedObject> = fc
  .record({
    kind: fc.constantFrom("ConfigMap", "ConfigMap", "Secret", "Service", "ServiceAccount", "Namespace"),
    name: fc.constantFrom(...NAMES),
    namespace: fc.constantFrom("default", "default", "a"),
    annotations: fc.oneof(fc.constant({}), fc.constant({}), annotations),
    values,
    immutable: fc.constantFrom(undefined, undefined, true),
    address: fc.constantFrom(10, 20),
  })
  .map(({ kind, name, namespace, annotations: said, values: data, immutable, address }) => {
    const home = kind === "Namespace" ? {} : { namespace };
    const metadata = { name, ...home, annotations: said, labels: data } as unknown as JsonObject;
    const frozen = immutable === undefined ? {} : { immutable };
    switch (kind) {
      case "ConfigMap":
        return { apiVersion: "v1", kind, metadata, data, ...frozen };
      case "Secret":
        return { apiVersion: "v1", kind, metadata, stringData: data, ...frozen };
      case "Service":
        // A cluster IP belongs to one Service, and a dry run does not know the addresses that other Services are about
        // to take.
        return { apiVersion: "v1", kind, metadata, spec: { clusterIP: addressOf(name, namespace, address), ports } };
      default:
        return { apiVersion: "v1", kind, metadata };
    }
  });

const ports = [{ port: 80 }];

function addressOf(name: string, namespace: string, last: number): string {
  return `10.96.${NAMES.indexOf(name) + (namespace === "default" ? 0 : NAMES.length)}.${last}`;
}

function identity({ kind, metadata }: EmbeddedObject): string {
  return JSON.stringify([kind, metadata["namespace"], metadata["name"]]);
}

const list = (maxLength: number): fc.Arbitrary<readonly EmbeddedObject[]> =>
  fc.uniqueArray(manifest, { maxLength, selector: identity });

/**
 * Drops `immutable` from objects in both lists: no dry run can predict a change of an object that the first list
 * creates.
 */
function lists([steadyState, postInstall]: readonly (readonly EmbeddedObject[])[]): Spec {
  const both = new Set((postInstall ?? []).map(identity));
  const mutable = (steadyState ?? []).map((object) => {
    const { immutable: _immutable, ...rest } = object;
    return both.has(identity(object)) ? rest : object;
  });
  return { steadyState: mutable, postInstall };
}

const spec: fc.Arbitrary<Spec> = fc
  .record({
    lists: fc.tuple(list(6), list(2)).map(lists),
    prune: fc.record({ mode: fc.constantFrom("Immediate", "Immediate", "Deferred", "Confirm", "Disabled") }),
    adoption: fc.constantFrom("IfUnowned", "Always", "Never"),
    adoptedFields: fc.constantFrom("Remove", "Remove", "Keep"),
    conflicts: fc.constantFrom("Force", "Force", "Fail"),
    drift: fc.record({ mode: fc.constantFrom("Correct", "Correct", "Report") }),
    suspend: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ lists: said, ...rest }) => ({ ...said, ...rest }));

/** A concurrent change by another client. */
interface ForeignChange {
  readonly act: "edit" | "delete" | "create";
  readonly kind: "ConfigMap" | "Secret" | "ServiceAccount";
  readonly name: string;
  /** A controller, or a command whose fields are removed on adoption. */
  readonly manager: string;
}

const foreignChange: fc.Arbitrary<ForeignChange> = fc.record({
  act: fc.constantFrom("edit", "delete", "create"),
  kind: fc.constantFrom("ConfigMap", "Secret", "ServiceAccount"),
  name: fc.constantFrom(...NAMES),
  manager: fc.constantFrom("other", "kubectl-client-side-apply", "kubectl-edit"),
});

async function applyForeignChange(cluster: TestCluster, { act, kind, name, manager }: ForeignChange): Promise<void> {
  const known = KINDS[kind] as Kind;
  const [client, options] = [clientOf(cluster), { fieldManager: manager }];
  const present = await cluster.get(known, name);
  const key = { namespace: "default", name };
  const metadata = { ...key, labels: { k: "3", l: "3", m: "3" } };
  if (act === "create" && present === undefined) await client.create(known, { metadata }, options);
  if (present === undefined) return;
  if (act === "delete") await cluster.delete(known, name);
  else await client.mergePatch(known, key, { metadata: { labels: { k: "3", m: "3" } } }, options);
}

const change = fc.record({ spec, foreignChange: fc.array(foreignChange, { maxLength: 2 }) });

/** Number of consecutive changes on one cluster. */
export const CHANGES_EACH = 3;

/**
 * Changes an Operand at random while another client changes its objects. Checks that each plan equals what the run then
 * does, and that planning changes nothing. Returns the number of changes.
 */
export async function checkPlans(base: TestCluster, numRuns: number): Promise<number> {
  let checked = 0;
  const property = fc.asyncProperty(
    fc.array(change, { minLength: CHANGES_EACH, maxLength: CHANGES_EACH }),
    async (changes) => {
      await using cluster = await base.fork();
      for (const each of changes) {
        for (const one of each.foreignChange) await applyForeignChange(cluster, one);
        const before = await readState(cluster);
        const plan = await planForOperand(cluster, await dryRunOperand(cluster, each.spec));
        expect(await readState(cluster)).toEqual(before);
        await applySpec(cluster, each.spec);
        const running = cluster.run(operandManager());
        await cluster.untilIdle();
        await running.stop();
        expect(observedChanges(before, await readState(cluster))).toEqual(plannedChanges(plan));
        checked++;
      }
    },
  );
  await fc.assert(property, { numRuns });
  return checked;
}
