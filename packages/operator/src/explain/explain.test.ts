import type { KubeObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refOf } from "../engine/index.ts";
import { explain } from "./explain.ts";
import { statusWith, explainInput, NOON, runWith, foundObject, testObject } from "./explain-input.fixture.ts";
import { objectRefId } from "./explain-input.ts";
import type { ExplainInput, FoundObject } from "./explain-input.ts";
import { findCauseCandidates } from "./cause-candidates.ts";
import type { ObjectNode } from "./tree.ts";

const secret = { apiVersion: "v1", kind: "Secret", namespace: "default", name: "numbers" };
const waiting = {
  type: "InputReady",
  status: "False",
  severity: "Info",
  message: "secret/numbers does not exist",
} as const;
const workload = (kind: string) => ({ apiVersion: "apps/v1", kind });

describe("an explanation", () => {
  test("shows the state of each condition in step order, with the objects that a step waits for below its condition", () => {
    const object = testObject("a", {
      status: statusWith(
        { ...waiting, type: "Ready" },
        { type: "Output", status: "Unknown", reason: "NotReached" },
        { type: "Checked" },
        waiting,
      ),
    });
    const run = runWith(
      object,
      { step: "Check", condition: "Checked", result: "ok" },
      { step: "Read", condition: "InputReady", on: [secret] },
    );
    const tree = explain(explainInput(foundObject(object, { run }), { kind: "missing", ref: secret }));
    expect(tree).toMatchObject({
      state: "progressing",
      message: "secret/numbers does not exist",
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
        causes: [{ ...secret, state: "missing", message: "not found" }],
      },
      { type: "Output", state: "pending" },
    ]);
  });

  test.each([
    ["Ready", { status: statusWith({ type: "Ready" }) }],
    ["Degraded", { status: statusWith({ ...waiting, type: "Ready", severity: "Warning" }) }],
    ["Paused", { status: statusWith({ ...waiting, type: "Ready", reason: "Suspended" }) }],
    ["Paused", { metadata: { annotations: { "levelset.dev/paused": "true" } }, status: statusWith({ type: "Ready" }) }],
    ["Unknown", {}],
  ] as const)("has the state %s that every view shows (%#)", (state, fields) => {
    expect(explain(explainInput(foundObject(testObject("a", fields))))).toMatchObject({ objectState: state });
  });

  test("omits conditions of an older generation, and asks whether its operator is running", () => {
    const object = testObject("a", { metadata: { generation: 2 }, status: statusWith({ type: "Ready" }) });
    expect(explain(explainInput(foundObject(object)))).toMatchObject({
      state: "progressing",
      message: "observed generation 1 of 2",
      generation: { latest: 2, observed: 1, state: "behind" },
      conditions: [],
      details: ["is its operator running?"],
    });
    const ahead = testObject("a", { status: { ...statusWith({ type: "Ready" }), observedGeneration: 3 } });
    expect(explain(explainInput(foundObject(ahead)))).toMatchObject({
      state: "progressing",
      generation: { state: "ahead" },
    });
  });

  test("does not report an unobserved object as ready, unless its kind has no status", () => {
    expect(explain(explainInput(foundObject(testObject("a"))))).toMatchObject({
      state: "progressing",
      message: "no controller has observed it yet",
    });
    expect(explain(explainInput(foundObject(testObject("a"), { hasStatus: false })))).toMatchObject({ state: "ready" });
  });

  test("ignores objects that a run of an older spec waited for", () => {
    const object = testObject("a", { status: statusWith({ ...waiting, type: "Ready" }) });
    const run = { ...runWith(object, { step: "Read", on: [secret] }), generation: 0 };
    expect(explain(explainInput(foundObject(object, { run }), { kind: "missing", ref: secret })).causes).toEqual([]);
  });

  test("leads from a Deployment to the pods of its newest ReplicaSet, the worst first, and omits the ReplicaSet", () => {
    const set = (name: string, revision: string, ready: number) =>
      testObject(
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
      testObject(name, { spec: { containers: [] }, status }, { apiVersion: "v1", kind: "Pod" });
    const deployment = testObject(
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
      explainInput(
        foundObject(deployment, { children: [read(older), read(newer)] }),
        foundObject(newer, { children: [read(starting), read(stuck)] }),
        foundObject(stuck),
        foundObject(starting),
      ),
    );
    expect(tree.causes).toMatchObject([
      { kind: "Pod", name: "web-2-b", state: "failed", message: "container web: ErrImagePull: no such image" },
      { kind: "Pod", name: "web-2-a", state: "progressing" },
    ]);
    const done = set("web-2", "10", 2);
    const draining = explain(
      explainInput(foundObject(deployment, { children: [read(older), read(done)] }), foundObject(older)),
    );
    expect(draining.causes).toMatchObject([{ kind: "ReplicaSet", name: "web-1" }]);
  });

  test("treats a Deployment of another group like any other object", () => {
    const thing = (kind: string): KubeObject =>
      testObject("a", { status: statusWith({ ...waiting, type: "Ready" }) }, { apiVersion: "example.com/v1", kind });
    const [deployment, set, part] = [thing("Deployment"), thing("ReplicaSet"), thing("Part")];
    const children = (object: KubeObject) => ({ children: [{ object, hasStatus: true }] });
    const facts = [
      foundObject(deployment, children(set)),
      foundObject(set, children(part)),
      foundObject(part),
    ] as const;
    expect(explain(explainInput(...facts)).causes).toMatchObject([{ kind: "ReplicaSet", causes: [{ kind: "Part" }] }]);
  });

  test("lists objects that a pod references only if they are missing or not ready", () => {
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default", name: "data" };
    const pod = testObject(
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
    const bound = testObject("data", { status: { phase: "Bound" } }, claim);
    expect(
      explain(explainInput(foundObject(pod), foundObject(bound), { kind: "missing", ref: secret })).causes,
    ).toMatchObject([{ kind: "Secret", name: "numbers", state: "missing" }]);
  });

  test("shows warnings only for objects without another explanation, and none that repeat the object's message", () => {
    const event = (message: string) => ({ reason: "Failed", message, count: 2, last: NOON });
    const events = [
      event("secret/numbers does not exist"),
      event("a volume is stuck"),
      event("third"),
      event("fourth"),
    ];
    const object = testObject("a", { status: statusWith({ ...waiting, type: "Ready" }) });
    expect(explain(explainInput(foundObject(object, { events }))).events).toEqual([events[1], events[2]]);
    const run = runWith(object, { step: "Read", on: [secret] });
    expect(
      explain(explainInput(foundObject(object, { run, events }), { kind: "missing", ref: secret })).events,
    ).toEqual([]);
  });

  test("names the finalizers of an object that is being deleted, and their owners", () => {
    const deletion = {
      deletionTimestamp: NOON,
      finalizers: ["test.levelset.dev/thing", "foregroundDeletion", "corp.example/guard"],
    };
    const status = statusWith(
      { type: "Ready", status: "False", severity: "Info" },
      { type: "Cleaned", status: "False", severity: "Info", reason: "Deleted" },
      { type: "Blocked", status: "False", severity: "Info", reason: "Requested" },
    );
    const owner = testObject("a", { metadata: deletion, status });
    const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name: "a", uid: "uid-a", controller: true };
    const child = (name: string, rest: object) => ({
      object: testObject(name, { metadata: { ownerReferences: [{ ...reference, ...rest }] }, status: statusWith() }),
      hasStatus: true,
    });
    const [blocking, free] = [child("blocking", { blockOwnerDeletion: true }), child("free", {})];
    const guarded = child("guarded", {});
    const finalizers = ["test.levelset.dev/thing-child", "test.levelset.dev/thing-job"];
    const kept = { ...guarded.object, metadata: { ...guarded.object.metadata, finalizers, deletionTimestamp: NOON } };
    const tree = explain(
      explainInput(
        foundObject(owner, { children: [blocking, free, { object: kept, hasStatus: true }] }),
        foundObject(blocking.object),
        foundObject(kept),
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
        "held by foregroundDeletion: the garbage collector, until its dependents are deleted",
        "held by corp.example/guard: the client that added it",
      ],
      causes: [
        { name: "blocking" },
        {
          name: "guarded",
          details: [
            "held by test.levelset.dev/thing-child: Thing a, which protects it",
            "held by test.levelset.dev/thing-job: Thing a, until its status records the result",
          ],
        },
      ],
    });
  });

  test("shows how containers terminated, and the remaining content of a namespace", () => {
    const containerStatuses = [
      {
        name: "web",
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: 137, reason: "OOMKilled", message: "out of memory" } },
      },
    ];
    const pod = testObject("p", { status: { phase: "Running", containerStatuses } }, { apiVersion: "v1", kind: "Pod" });
    expect(explain(explainInput(foundObject(pod))).details).toEqual([
      "container web exited with code 137 (OOMKilled), restarted 3 times: out of memory",
    ]);
    const conditions = [
      {
        type: "NamespaceContentRemaining",
        status: "True",
        message: "Some resources are remaining: pods. has 1 resource instances",
      },
      { type: "NamespaceDeletionContentFailure", status: "False", message: "All content successfully deleted" },
    ];
    const namespace = testObject(
      "shop",
      { metadata: { deletionTimestamp: NOON }, status: { phase: "Terminating", conditions } },
      { apiVersion: "v1", kind: "Namespace" },
    );
    expect(explain(explainInput(foundObject(namespace))).details).toEqual([
      "Some resources are remaining: pods. has 1 resource instances",
    ]);
  });

  test("explains each object of any graph once, with all its candidates", () => {
    fc.assert(
      fc.property(webs, (facts) => {
        const nodes = [...all(explain(facts))];
        const expanded = nodes.filter((node) => below(node).length > 0);
        expect(new Set(expanded.map(objectRefId)).size).toBe(expanded.length);
        for (const node of expanded) {
          const lookup = facts.lookups.get(objectRefId(node));
          const { leads } = findCauseCandidates(lookup as FoundObject); // only existing objects have causes
          expect(below(node).map(objectRefId).toSorted()).toEqual(leads.map(({ ref }) => objectRefId(ref)).toSorted());
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

/** Generates objects that wait for and own each other, including cycles and missing objects. */
const webs: fc.Arbitrary<ExplainInput> = fc
  .array(
    fc.record({
      state: fc.constantFrom("ready", "not ready", "not ready", "missing", "unseen"),
      on: fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 4 }),
      owns: fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 4 }),
    }),
    { minLength: SIZE, maxLength: SIZE },
  )
  .map((plans) => {
    const objects = plans.map(({ state }, index) =>
      testObject(`t${index}`, {
        status: statusWith(
          { type: "Ready", status: state === "ready" ? "True" : "False" },
          { type: "Step", status: "Unknown" },
        ),
      }),
    );
    const at = (index: number): KubeObject => objects[index] ?? testObject("none");
    const seen = plans.map(({ on, owns }, index) =>
      foundObject(at(index), {
        run: runWith(at(index), { step: "Step", on: on.map((other) => refOf(at(other))) }),
        children: owns.filter((other) => other !== index).map((other) => ({ object: at(other), hasStatus: true })),
      }),
    );
    const [root = foundObject(testObject("none")), ...rest] = seen;
    const others = rest.flatMap((each, index): Others => {
      const state = plans[index + 1]?.state;
      if (state === "unseen") return [];
      return state === "missing" ? [{ kind: "missing", ref: refOf(each.object) }] : [each];
    });
    return explainInput(root, ...others);
  });

type Others = Parameters<typeof explainInput> extends [unknown, ...infer Rest] ? Rest : never;
