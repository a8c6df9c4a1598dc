import { ConfigMap, kind, Lease, s } from "@levelset/core";
import { child, ok, operator, reference, step, terminal } from "@levelset/operator";
import type { ManagedOperator } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Manifest, Operation } from "../history/index.ts";
import { runHistory } from "../run/index.ts";
import type { RunResult } from "../run/index.ts";
import { prepareSubject } from "../subject/index.ts";
import type { Violation } from "../violation/index.ts";
import { SimulatedCluster, WorldLog } from "../world/index.ts";
import type { Refusal } from "../world/index.ts";
import { findDefects } from "./defects.ts";

const Note = kind({ group: "defects.levelset.dev", version: "v1", kind: "Note", spec: s.object({ text: s.string() }) });
const note = (text: string): Manifest => ({
  apiVersion: "defects.levelset.dev/v1",
  kind: "Note",
  metadata: { name: "a", namespace: "default" },
  spec: { text },
});
const CREATE: Operation = { do: "create", object: note("one"), afterMs: 60_000 };
const CHANGE: Operation = { do: "change", object: note("two"), how: "changed", afterMs: 60_000 };

async function violationsOf(
  program: () => ManagedOperator,
  operations: readonly Operation[] = [CREATE],
): Promise<RunResult["violations"]> {
  const subject = await prepareSubject(program);
  const properties = { always: {}, eventually: {}, monitors: {} };
  const { violations } = await runHistory({
    subject,
    history: { operations },
    faults: [],
    seed: 1,
    mode: "watch",
    properties,
  });
  return violations;
}

test("an error that a step logs about a failure which it handles is no programming error", async () => {
  const pay = step(Note, "Pay", {
    do: ({ logger }) => {
      logger.error("payment declined", { err: new Error("no money") });
      return terminal("the payment is declined");
    },
  });
  expect(await violationsOf(() => operator(Note, [pay]))).toEqual([]);
});

test("a TypeError of a step is a programming error", async () => {
  const fail = step(Note, "Fail", {
    do: () => {
      throw new TypeError("it is undefined");
    },
  });
  expect(await violationsOf(() => operator(Note, [fail]))).toMatchObject([
    {
      rule: "programming-error",
      object: "Note default/a",
      message: "step failed with a programming error in step Fail: it is undefined",
    },
  ]);
});

test("a callback of an operator that throws is a programming error", async () => {
  const reading = reference(Note, ConfigMap, (): string => {
    throw new TypeError("it is undefined");
  });
  const look = step(Note, "Look", { reads: [reading], do: () => ok() });
  expect(await violationsOf(() => operator(Note, [look]))).toMatchObject([
    {
      rule: "programming-error",
      message: "operator callback failed in reference of ConfigMap: it is undefined",
    },
  ]);
});

test("a promise outside of steps that rejects and is not awaited is a programming error", async () => {
  const notes = operator(Note, [step(Note, "Nothing", { do: () => ok() })]);
  const rejecting: ManagedOperator = {
    name: notes.name,
    kinds: notes.kinds,
    rbac: notes.rbac,
    createController: (runtime) => {
      void Promise.reject(new Error("it was lost"));
      return notes.createController(runtime);
    },
  };
  expect(await violationsOf(() => rejecting)).toMatchObject([
    { rule: "programming-error", message: "unhandled rejection of unknown origin: it was lost" },
  ]);
});

test("an internal error of the embedded server is found, and is not one of the operator", async () => {
  const subject = await prepareSubject(() => operator(Note, [step(Note, "Nothing", { do: () => ok() })]));
  const { now, workloads } = subject;
  const program = subject.open();
  const cluster = new SimulatedCluster({ store: subject.store.fork(), program, seed: 1, now, workloads, replicas: 1 });
  const body = new ReadableStream({ start: (controller) => controller.error(new RangeError("the body is lost")) });
  const headers = { "content-type": "application/json" };
  const path = "http://cluster.invalid/api/v1/namespaces/default/configmaps";
  await cluster.fetch(new Request(path, { method: "POST", body, headers, duplex: "half" }));
  const { requests, logs, processFailure: failure } = cluster;
  await cluster.close();
  expect(findDefects({ requests, logs, failure, rules: subject.rules })).toMatchObject([
    {
      rule: "programming-error",
      message: "The embedded API server has an internal error: request failed: the body is lost",
      expected: "The server handles every request. This is a bug of levelset: report it.",
    },
  ]);
});

function foundIn(path: string, refusal: Refusal): readonly Violation[] {
  const request = { method: "PATCH", path, query: "", code: 422, refusal };
  const rules = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
  return findDefects({ requests: [request], logs: new WorldLog().lines, failure: undefined, rules });
}

const CONFIG = "/api/v1/namespaces/default/configmaps/immutable";
const refused = (...causes: readonly string[]): Refusal => ({
  message: `ConfigMap "immutable" is invalid: [${causes.map((cause) => `data: ${cause}`).join(", ")}]`,
  causes,
});

test.each([
  ['Invalid value: "a b": a valid config key must consist of alphanumeric characters'],
  ['Invalid value: "field is immutable": must be no more than 5 characters'],
  ['Unsupported value: "may not be changed": supported values: "immutable", "x"'],
  ["Invalid value: \"x\": must be 'immutable'"],
  ["Required value: must be set with `immutable`"],
])("a refusal is found whose names and values only are about immutable fields: %s", (cause) => {
  expect(foundIn(CONFIG, refused(cause)).map(({ rule }) => rule)).toEqual(["child-refused"]);
});

test.each([
  ['Invalid value: {"a":"x"}: field is immutable'],
  ["Forbidden: field is immutable when `immutable` is set"],
  ["Forbidden: updates to statefulset spec for fields other than 'replicas' and 'template' are forbidden"],
  ["Forbidden: may not be changed in an update."],
  ['Invalid value: "10.0.0.1": may not change once set'],
  ["Forbidden: spec is immutable after creation except resources.requests\n  core.PersistentVolumeClaimSpec{\n"],
])("a refused change of an immutable field depends on the path and is not found: %s", (cause) => {
  expect(foundIn(CONFIG, refused(cause))).toEqual([]);
});

test("a refusal is found if only one of its causes is an immutable field", () => {
  const found = foundIn(CONFIG, refused("Invalid value: 1: field is immutable", "Required value: name it"));
  expect(found).toMatchObject([{ rule: "child-refused" }]);
});

test("a refused object that is named status is no status", () => {
  const refusal = refused("Required value");
  expect(foundIn("/api/v1/namespaces/default/configmaps/status", refusal)[0]?.rule).toBe("child-refused");
  expect(foundIn("/apis/example.com/v1/namespaces/default/things/a/status", refusal)[0]?.rule).toBe("status-refused");
});

test("a child with an invalid key is found, whatever its name is", async () => {
  const config = child(Note, "Config", {
    kind: ConfigMap,
    desired: ({ spec }) => ({ metadata: { name: "immutable-settings" }, data: { [spec.text]: "x" } }),
  });
  const change: Operation = { ...CHANGE, object: note("a b") };
  const found = await violationsOf(() => operator(Note, [config]), [CREATE, change]);
  expect(found).toContainEqual(
    expect.objectContaining({
      rule: "child-refused",
      message: expect.stringContaining('ConfigMap "immutable-settings" is invalid: data[a b]: '),
    }),
  );
});

test("a changed immutable field of a child is not found by the refusal of the server", async () => {
  const config = child(Note, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name }, immutable: true, data: { text: spec.text } }),
  });
  const found = await violationsOf(() => operator(Note, [config]), [CREATE, CHANGE]);
  expect(found.filter(({ rule }) => rule === "child-refused")).toEqual([]);
});

test("a step that reads or creates Leases without a declared right is found", async () => {
  const key = { namespace: "default", name: "lock" };
  const read = step(Note, "Read", {
    do: async ({ client }) => {
      await client.get(Lease, key);
      return ok();
    },
  });
  const create = step(Note, "Create", {
    do: async ({ client }) => {
      await client.apply(Lease, { metadata: key }, { force: true });
      return ok();
    },
  });
  for (const [lock, verb] of [
    [read, "get"],
    [create, "patch"],
  ] as const) {
    expect(await violationsOf(() => operator(Note, [lock]))).toContainEqual(
      expect.objectContaining({
        rule: "undeclared-right",
        message: `The operator sends ${verb} leases.coordination.k8s.io, which it does not declare.`,
      }),
    );
  }
});

test("the requests of a leader election are no undeclared rights, and those for another Lease are", async () => {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const election = [
    { method: "GET", path: `${leases}/simulation`, query: "", code: 404 },
    { method: "POST", path: leases, query: "", code: 201 },
    { method: "PUT", path: `${leases}/simulation`, query: "", code: 200 },
  ];
  const found = (requests: typeof election): readonly Violation[] =>
    findDefects({ requests, logs: [], failure: undefined, rules: [] });
  expect(found(election)).toEqual([]);
  expect(found(election.slice(1, 2))).toMatchObject([{ rule: "undeclared-right" }]);
  expect(found([...election, { method: "GET", path: `${leases}/other`, query: "", code: 404 }])).toMatchObject([
    { rule: "undeclared-right" },
  ]);
});
