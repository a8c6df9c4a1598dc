import { ConfigMap, deepEqual, Namespace, Secret, Service, ServiceAccount } from "@levelset/core";
import type { EmbeddedObject, JsonObject, Kind, ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { Operand } from "./kinds.ts";
import { refId } from "./live-ref.ts";
import { operandManager } from "./operators.ts";
import { planOperand } from "./plan.ts";
import type { OperandPlan } from "./plan.ts";
import { visibleObject } from "./visible.ts";

/** What objects of the tests are made of. */
const KINDS = { ConfigMap, Secret, Service, ServiceAccount, Namespace } as const;

/** The spec of an Operand, as somebody writes it. */
export type Spec = Record<string, unknown>;

/** A client of the test itself, which nothing counts. */
function clientOf(cluster: TestCluster): Client {
  return new Client({ fetch: cluster.fetch, fieldManager: "somebody" });
}

/** What the server would make of an Operand with this spec. */
export async function proposed(cluster: TestCluster, spec: Spec): Promise<ObjectOf<Operand>> {
  const body = { metadata: { name: "set" }, spec } as never; // any spec: the server judges it
  return clientOf(cluster).apply(Operand, body, { dryRun: true, force: true, fieldManager: "asker" });
}

/** Asks for a set. */
export async function ask(cluster: TestCluster, spec: Spec): Promise<void> {
  const body = { metadata: { name: "set" }, spec } as never;
  await clientOf(cluster).apply(Operand, body, { force: true, fieldManager: "asker" });
}

/** What a run would do about an Operand. */
export async function planned(cluster: TestCluster, operand: ObjectOf<Operand>): Promise<OperandPlan> {
  const client = clientOf(cluster);
  const { signal } = new AbortController();
  return planOperand(operand, { client, discovery: new Discovery(client), clock: cluster.clock, signal });
}

interface Seen {
  readonly uid: string;
  readonly visible: JsonObject;
}

/** Everything of our kinds, as people see it. */
async function world(cluster: TestCluster): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const kind of Object.values(KINDS) as readonly Kind[]) {
    for (const object of await cluster.list(kind)) {
      const { name, namespace, uid } = object.metadata;
      const id = refId({ group: kind.group, kind: kind.kind, ...(namespace === undefined ? {} : { namespace }), name });
      seen.set(id, { uid, visible: visibleObject(object, kind) });
    }
  }
  return seen;
}

/** What happened between two looks at the world. */
function happened(before: ReadonlyMap<string, Seen>, after: ReadonlyMap<string, Seen>): Record<string, string> {
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

/** What a plan says will happen. */
function foretold(plan: OperandPlan): Record<string, string> {
  if (plan.kind === "invalid" || plan.isSuspended) return {};
  const acts = ["create", "change", "recreate", "delete"];
  return Object.fromEntries(
    [...plan.items, ...plan.prunes]
      .filter(({ action }) => acts.includes(action))
      .map(({ ref, action }) => [refId(ref), action]),
  );
}

const NAMES = ["a", "b", "c"];
const PREFIX = "operand.levelset.dev";

/** Annotations that change what is done about an object. */
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
        // Addresses are taken by one Service at most, and no dry run knows of those that another one is about to take.
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

/** What cannot change once it is there is beyond a dry run where both lists have it: the second one changes what the first one made. */
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
    conflicts: fc.constantFrom("Force", "Force", "Fail"),
    drift: fc.record({ mode: fc.constantFrom("Correct", "Correct", "Report") }),
    suspend: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ lists: said, ...rest }) => ({ ...said, ...rest }));

/** What somebody else does meanwhile. */
interface Meddling {
  readonly act: "edit" | "delete" | "create";
  readonly kind: "ConfigMap" | "Secret" | "ServiceAccount";
  readonly name: string;
}

const meddling: fc.Arbitrary<Meddling> = fc.record({
  act: fc.constantFrom("edit", "delete", "create"),
  kind: fc.constantFrom("ConfigMap", "Secret", "ServiceAccount"),
  name: fc.constantFrom(...NAMES),
});

async function meddle(cluster: TestCluster, { act, kind, name }: Meddling): Promise<void> {
  const known = KINDS[kind] as Kind;
  const present = await cluster.get(known, name);
  if (act === "create" && present === undefined) await cluster.create(known, { name });
  if (present === undefined) return;
  if (act === "delete") await cluster.delete(known, name);
  else await cluster.patch(known, name, { metadata: { labels: { k: "3" } } });
}

const change = fc.record({ spec, meddling: fc.array(meddling, { maxLength: 2 }) });

/** How many changes follow each other on one cluster. */
export const CHANGES_EACH = 3;

/**
 * Changes an Operand at random, again and again, while somebody meddles with its objects: each time the plan is exactly what the run then
 * does, and making it changes nothing. Answers how many changes that were.
 */
export async function checkPlans(base: TestCluster, numRuns: number): Promise<number> {
  let checked = 0;
  const property = fc.asyncProperty(
    fc.array(change, { minLength: CHANGES_EACH, maxLength: CHANGES_EACH }),
    async (changes) => {
      await using cluster = await base.fork();
      for (const each of changes) {
        for (const one of each.meddling) await meddle(cluster, one);
        const before = await world(cluster);
        const plan = await planned(cluster, await proposed(cluster, each.spec));
        expect(await world(cluster)).toEqual(before);
        await ask(cluster, each.spec);
        const running = cluster.run(operandManager());
        await cluster.rest();
        await running.stop();
        expect(happened(before, await world(cluster))).toEqual(foretold(plan));
        checked++;
      }
    },
  );
  await fc.assert(property, { numRuns });
  return checked;
}
