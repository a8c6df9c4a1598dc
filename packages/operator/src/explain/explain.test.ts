import type { KubeObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refOf } from "../step/index.ts";
import { explain } from "./explain.ts";
import { conditioned, factsOf, NOON, ran, saw, thing } from "./facts.fixture.ts";
import { refId } from "./facts.ts";
import type { Facts, Seen } from "./facts.ts";
import { leadsOf } from "./leads.ts";
import type { ObjectNode } from "./tree.ts";

const secret = { apiVersion: "v1", kind: "Secret", namespace: "default", name: "numbers" };
const waiting = {
  type: "InputReady",
  status: "False",
  severity: "Info",
  message: "secret/numbers is not there",
} as const;
const workload = (kind: string) => ({ apiVersion: "apps/v1", kind });

describe("an explanation", () => {
  test("says of each condition how far it is, in the order of the steps, and hangs what a step waits for below its own", () => {
    const object = thing("a", {
      status: conditioned(
        { ...waiting, type: "Ready" },
        { type: "Output", status: "Unknown", reason: "NotReached" },
        { type: "Checked" },
        waiting,
      ),
    });
    const run = ran(
      object,
      { step: "Check", condition: "Checked", result: "ok" },
      { step: "Read", condition: "InputReady", on: [secret] },
    );
    const tree = explain(factsOf(saw(object, { run }), { kind: "missing", ref: secret }));
    expect(tree).toMatchObject({
      state: "progressing",
      message: "secret/numbers is not there",
      generation: { latest: 1, observed: 1, state: "current" },
      run: { number: 7, result: "wait" },
      causes: [],
    });
    expect(tree.conditions).toMatchObject([
      { type: "Checked", state: "done", step: "Check" },
      {
        type: "InputReady",
        state: "waiting",
        step: "Read",
        since: NOON,
        causes: [{ ...secret, state: "missing", message: "not there" }],
      },
      { type: "Output", state: "pending" },
    ]);
  });

  test("keeps silent about conditions of an older spec, and asks whether anybody reconciles the new one", () => {
    const object = thing("a", { metadata: { generation: 2 }, status: conditioned({ type: "Ready" }) });
    expect(explain(factsOf(saw(object)))).toMatchObject({
      state: "progressing",
      message: "observed generation 1 of 2",
      generation: { latest: 2, observed: 1, state: "behind" },
      conditions: [],
      details: ["is its operator running?"],
    });
    const ahead = thing("a", { status: { ...conditioned({ type: "Ready" }), observedGeneration: 3 } });
    expect(explain(factsOf(saw(ahead)))).toMatchObject({ state: "progressing", generation: { state: "ahead" } });
  });

  test("does not take an object that nobody ever looked at for ready, unless its kind has no status", () => {
    expect(explain(factsOf(saw(thing("a"))))).toMatchObject({
      state: "progressing",
      message: "no controller has observed it yet",
    });
    expect(explain(factsOf(saw(thing("a"), { hasStatus: false })))).toMatchObject({ state: "ready" });
  });

  test("does not follow what a run of an older spec waited for", () => {
    const object = thing("a", { status: conditioned({ ...waiting, type: "Ready" }) });
    const run = { ...ran(object, { step: "Read", on: [secret] }), generation: 0 };
    expect(explain(factsOf(saw(object, { run }), { kind: "missing", ref: secret })).causes).toEqual([]);
  });

  test("goes from a Deployment through its newest ReplicaSet to the pods, the worst first, and leaves the ReplicaSet out", () => {
    const set = (name: string, revision: string, ready: number) =>
      thing(
        name,
        {
          metadata: { annotations: { "deployment.kubernetes.io/revision": revision } },
          spec: { replicas: 2 },
          status: {
            observedGeneration: 1,
            replicas: 2,
            fullyLabeledReplicas: 2,
            readyReplicas: ready,
            availableReplicas: ready,
          },
        },
        workload("ReplicaSet"),
      );
    const pod = (name: string, status: object) =>
      thing(name, { spec: { containers: [] }, status }, { apiVersion: "v1", kind: "Pod" });
    const deployment = thing(
      "web",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, replicas: 4, updatedReplicas: 2 } },
      workload("Deployment"),
    );
    const [older, newer] = [set("web-1", "9", 0), set("web-2", "10", 0)];
    const stuck = pod("web-2-b", {
      phase: "Pending",
      containerStatuses: [{ name: "web", state: { waiting: { reason: "ErrImagePull", message: "no such image" } } }],
    });
    const starting = pod("web-2-a", { phase: "Pending" });
    const read = (object: KubeObject) => ({ object, hasStatus: true });
    const tree = explain(
      factsOf(
        saw(deployment, { children: [read(older), read(newer)] }),
        saw(newer, { children: [read(starting), read(stuck)] }),
        saw(stuck),
        saw(starting),
      ),
    );
    expect(tree.causes).toMatchObject([
      { kind: "Pod", name: "web-2-b", state: "failed", message: "container web: ErrImagePull: no such image" },
      { kind: "Pod", name: "web-2-a", state: "progressing" },
    ]);
    const done = set("web-2", "10", 2);
    const draining = explain(factsOf(saw(deployment, { children: [read(older), read(done)] }), saw(older)));
    expect(draining.causes).toMatchObject([{ kind: "ReplicaSet", name: "web-1" }]);
  });

  test("blames what a pod names only if that is missing or not ready", () => {
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default", name: "data" };
    const pod = thing(
      "p",
      {
        spec: {
          containers: [{ name: "a", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "numbers", key: "a" } } }] }],
          volumes: [
            { name: "v", persistentVolumeClaim: { claimName: "data" } },
            { name: "w", configMap: { name: "perhaps", optional: true } },
          ],
        },
        status: { phase: "Pending" },
      },
      { apiVersion: "v1", kind: "Pod" },
    );
    const bound = thing("data", { status: { phase: "Bound" } }, claim);
    expect(explain(factsOf(saw(pod), saw(bound), { kind: "missing", ref: secret })).causes).toMatchObject([
      { kind: "Secret", name: "numbers", state: "missing" },
    ]);
  });

  test("tells warnings only where nothing else explains an object, and none that it says itself", () => {
    const event = (message: string) => ({ reason: "Failed", message, count: 2, last: NOON });
    const events = [event("secret/numbers is not there"), event("a volume is stuck"), event("third"), event("fourth")];
    const object = thing("a", { status: conditioned({ ...waiting, type: "Ready" }) });
    expect(explain(factsOf(saw(object, { events }))).events).toEqual([events[1], events[2]]);
    const run = ran(object, { step: "Read", on: [secret] });
    expect(explain(factsOf(saw(object, { run, events }), { kind: "missing", ref: secret })).events).toEqual([]);
  });

  test("says what holds an object that is being deleted, and whose that is", () => {
    const deletion = {
      deletionTimestamp: NOON,
      finalizers: ["test.levelset.dev/thing", "foregroundDeletion", "corp.example/guard"],
    };
    const status = conditioned(
      { type: "Ready", status: "False", severity: "Info" },
      { type: "Cleaned", status: "False", severity: "Info", reason: "Deleted" },
      { type: "Blocked", status: "False", severity: "Info", reason: "Requested" },
    );
    const owner = thing("a", { metadata: deletion, status });
    const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name: "a", uid: "uid-a", controller: true };
    const child = (name: string, rest: object) => ({
      object: thing(name, { metadata: { ownerReferences: [{ ...reference, ...rest }] }, status: conditioned() }),
      hasStatus: true,
    });
    const [blocking, free] = [child("blocking", { blockOwnerDeletion: true }), child("free", {})];
    const guarded = child("guarded", {});
    const finalizers = ["test.levelset.dev/thing-child", "test.levelset.dev/thing-job"];
    const kept = { ...guarded.object, metadata: { ...guarded.object.metadata, finalizers, deletionTimestamp: NOON } };
    const tree = explain(
      factsOf(
        saw(owner, { children: [blocking, free, { object: kept, hasStatus: true }] }),
        saw(blocking.object),
        saw(kept),
      ),
    );
    expect(tree).toMatchObject({
      state: "deleting",
      deletedAt: NOON,
      conditions: [
        { type: "Cleaned", state: "done" },
        { type: "Blocked", state: "waiting" },
      ],
      details: [
        "held by test.levelset.dev/thing: its own operator, until all steps are cleaned up",
        "held by foregroundDeletion: the garbage collector, until what it owns is gone",
        "held by corp.example/guard: whoever put it there",
      ],
      causes: [
        { name: "blocking" },
        {
          name: "guarded",
          details: [
            "held by test.levelset.dev/thing-child: Thing a, which must not lose it",
            "held by test.levelset.dev/thing-job: Thing a, until its status records the result",
          ],
        },
      ],
    });
  });

  test("tells how containers ended, and what a namespace still holds", () => {
    const containerStatuses = [
      {
        name: "web",
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: 137, reason: "OOMKilled", message: "out of memory" } },
      },
    ];
    const pod = thing("p", { status: { phase: "Running", containerStatuses } }, { apiVersion: "v1", kind: "Pod" });
    expect(explain(factsOf(saw(pod))).details).toEqual([
      "container web ended with code 137 (OOMKilled), started again 3 times: out of memory",
    ]);
    const conditions = [
      {
        type: "NamespaceContentRemaining",
        status: "True",
        message: "Some resources are remaining: pods. has 1 resource instances",
      },
      { type: "NamespaceDeletionContentFailure", status: "False", message: "All content successfully deleted" },
    ];
    const namespace = thing(
      "shop",
      { metadata: { deletionTimestamp: NOON }, status: { phase: "Terminating", conditions } },
      { apiVersion: "v1", kind: "Namespace" },
    );
    expect(explain(factsOf(saw(namespace))).details).toEqual([
      "Some resources are remaining: pods. has 1 resource instances",
    ]);
  });

  test("of any web of objects, explains each once and follows every lead of those", () => {
    fc.assert(
      fc.property(webs, (facts) => {
        const nodes = [...all(explain(facts))];
        const expanded = nodes.filter((node) => below(node).length > 0);
        expect(new Set(expanded.map(refId)).size).toBe(expanded.length);
        for (const node of expanded) {
          const sight = facts.sights.get(refId(node));
          const { leads } = leadsOf(sight as Seen); // only what was seen has anything below it
          expect(below(node).map(refId).toSorted()).toEqual(leads.map(({ ref }) => refId(ref)).toSorted());
        }
        expect(expanded.filter(({ state }) => state === "ready")).toEqual([]);
      }),
    );
  });
});

function below(node: ObjectNode): readonly ObjectNode[] {
  return [...node.conditions.flatMap(({ causes }) => causes), ...node.causes];
}

function* all(node: ObjectNode): Generator<ObjectNode> {
  yield node;
  for (const each of below(node)) yield* all(each);
}

const SIZE = 8;

/** Objects that wait for each other and own each other in every way, cycles and missing ones included. */
const webs: fc.Arbitrary<Facts> = fc
  .array(
    fc.record({
      sight: fc.constantFrom("ready", "not ready", "not ready", "missing", "unseen"),
      on: fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 4 }),
      owns: fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 4 }),
    }),
    { minLength: SIZE, maxLength: SIZE },
  )
  .map((plans) => {
    const objects = plans.map(({ sight }, index) =>
      thing(`t${index}`, {
        status: conditioned(
          { type: "Ready", status: sight === "ready" ? "True" : "False" },
          { type: "Step", status: "Unknown" },
        ),
      }),
    );
    const at = (index: number): KubeObject => objects[index] ?? thing("none");
    const seen = plans.map(({ on, owns }, index) =>
      saw(at(index), {
        run: ran(at(index), { step: "Step", on: on.map((other) => refOf(at(other))) }),
        children: owns.filter((other) => other !== index).map((other) => ({ object: at(other), hasStatus: true })),
      }),
    );
    const [root = saw(thing("none")), ...rest] = seen;
    const others = rest.flatMap((each, index): Others => {
      const sight = plans[index + 1]?.sight;
      if (sight === "unseen") return [];
      return sight === "missing" ? [{ kind: "missing", ref: refOf(each.object) }] : [each];
    });
    return factsOf(root, ...others);
  });

type Others = Parameters<typeof factsOf> extends [unknown, ...infer Rest] ? Rest : never;
