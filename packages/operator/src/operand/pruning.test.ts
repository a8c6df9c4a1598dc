import type { KubeObject, ObjectOf, OwnerReference } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { inventoryReference } from "./body.ts";
import type { Inventory } from "./inventory.ts";
import type { Operand } from "./kinds.ts";
import { INHERITED, partLabel } from "./marks.ts";
import { decidePruning, decideSweeping, surroundingsOf, whenDue } from "./pruning.ts";
import type { Surroundings } from "./pruning.ts";

const P = "operand-p";
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };
const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "x" } };
const NOW = Date.UTC(2026, 0, 1);

function inventory(name: string, operandUid: string, live: readonly (typeof ref)[], isGoing = false): Inventory {
  const owner = {
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    name: "o",
    uid: operandUid,
    controller: true,
  };
  const end = isGoing ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
  const metadata = { name, uid: `${name}-uid`, resourceVersion: "1", ownerReferences: [owner], ...end };
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "ClusterActiveOperand", metadata, spec: { live } };
}

type OperandSpec = ObjectOf<Operand>["spec"];

const SPEC = {
  steadyState: [],
  postInstall: [],
  prune: { mode: "Immediate", after: "1h" },
} satisfies Partial<OperandSpec>;

function operandOf(spec: Partial<OperandSpec> = {}): ObjectOf<Operand> {
  const metadata = { name: "p", uid: P, resourceVersion: "1", generation: 1 };
  // Nothing else of a spec is looked at here.
  const whole = { ...SPEC, ...spec } as OperandSpec;
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", metadata, spec: whole };
}

/** A, of the Operand P, goes; the others are there. */
function around(others: readonly Inventory[], options: Partial<Surroundings> = {}): Surroundings {
  const a = inventory("a", P, [ref], true);
  const about = { operand: operandOf(), operandUid: P, going: new Set(["a-uid"]), isOrphaning: false, now: NOW };
  return surroundingsOf([a, ...others], { ...about, ...options });
}

function object(options: {
  readonly parts?: Readonly<Record<string, string>>;
  readonly owners?: readonly Inventory[];
  readonly annotations?: Readonly<Record<string, string>>;
}): KubeObject {
  const { parts = { [P]: "hash" }, owners = [], annotations = {} } = options;
  const labels = Object.fromEntries(Object.entries(parts).map(([uid, value]) => [partLabel(uid), value]));
  const ownerReferences: OwnerReference[] = owners.map(inventoryReference);
  const metadata = {
    namespace: "shop",
    name: "x",
    uid: "x-uid",
    resourceVersion: "1",
    labels,
    annotations,
    ownerReferences,
  };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

const a = inventory("a", P, [ref], true);
const b = inventory("b", P, [ref]);
const q = inventory("q", "operand-q", [ref]);

describe("an object of an inventory that goes", () => {
  test("is deleted when nobody wants it", () => {
    expect(decidePruning(ref, object({ owners: [a] }), around([]))).toEqual({ kind: "delete" });
  });

  test("is kept for an inventory of the same Operand that lists it, or for one that is still to come", () => {
    expect(decidePruning(ref, object({ owners: [a] }), around([b]))).toEqual({ kind: "pass" });
    const wanting = around([], { operand: operandOf({ steadyState: [manifest] }) });
    expect(decidePruning(ref, object({ owners: [a] }), wanting)).toEqual({ kind: "pass" });
  });

  test("keeps its label while another inventory of the Operand that goes too still owns it", () => {
    const going = inventory("b", P, [ref], true);
    expect(decidePruning(ref, object({ owners: [a, going] }), around([going]))).toEqual({ kind: "pass" });
    expect(decidePruning(ref, object({ owners: [a] }), around([going]))).toEqual({ kind: "delete" });
  });

  test("goes to another Operand that lists it, also before that one has applied it", () => {
    expect(decidePruning(ref, object({ owners: [a] }), around([q]))).toEqual({
      kind: "stay",
      reason: "Shared",
      heir: { operandUid: "operand-q", inventoryUid: "q-uid" },
    });
  });

  test("is left to another Operand that has it already", () => {
    const parts = { [P]: "hash", "operand-q": "hash" };
    expect(decidePruning(ref, object({ parts, owners: [a, q] }), around([q]))).toEqual({
      kind: "stay",
      reason: "Shared",
      heir: undefined,
    });
  });

  test("stays when somebody else owns it, or another Operand has it", () => {
    const user = { ...q, kind: "Deployment", metadata: { ...q.metadata, uid: "user" } };
    expect(decidePruning(ref, object({ owners: [a, user] }), around([]))).toMatchObject({
      kind: "stay",
      reason: "Shared",
    });
    const parts = { [P]: "hash", "operand-q": "hash" };
    expect(decidePruning(ref, object({ parts, owners: [a] }), around([]))).toMatchObject({
      kind: "stay",
      reason: "Shared",
    });
  });

  test("stays when it was never taken over, whoever lists it", () => {
    expect(decidePruning(ref, object({ parts: {} }), around([]))).toMatchObject({ kind: "stay", reason: "NotOurs" });
    expect(decidePruning(ref, object({ parts: {} }), around([q]))).toMatchObject({ kind: "stay", heir: undefined });
    expect(decidePruning(ref, object({ parts: {} }), around([b]))).toEqual({ kind: "pass" });
  });

  test("stays when the Operand is deleted without its objects, or pruning is disabled for it or for all", () => {
    const owned = object({ owners: [a] });
    expect(decidePruning(ref, owned, around([], { isOrphaning: true }))).toMatchObject({ reason: "Orphaned" });
    const annotations = { "operand.levelset.dev/prune": "disabled" };
    expect(decidePruning(ref, object({ owners: [a], annotations }), around([]))).toMatchObject({
      reason: "PruneDisabled",
    });
    const disabled = around([], { operand: operandOf({ prune: { mode: "Disabled", after: "1h" } }) });
    expect(decidePruning(ref, owned, disabled)).toMatchObject({ kind: "stay", reason: "PruneDisabled" });
  });

  test("is marked when it is to go later, and deleted at once when the Operand is gone", () => {
    const deferred = operandOf({ prune: { mode: "Deferred", after: "90s" } });
    const owned = object({ owners: [a] });
    expect(decidePruning(ref, owned, around([], { operand: deferred }))).toEqual({
      kind: "mark",
      pruneAfter: "2026-01-01T00:01:30Z",
    });
    const confirm = around([], { operand: operandOf({ prune: { mode: "Confirm", after: "1h" } }) });
    expect(decidePruning(ref, owned, confirm)).toEqual({ kind: "mark", pruneAfter: "confirm" });
    expect(decidePruning(ref, owned, around([], { operand: undefined }))).toEqual({ kind: "delete" });
  });

  test("is never deleted if it is a namespace or a CRD", () => {
    const namespace = { group: "", kind: "Namespace", name: "shop" };
    expect(decidePruning(namespace, object({}), around([]))).toMatchObject({ kind: "stay", reason: "NeverPruned" });
  });
});

describe("an object that may have been left behind", () => {
  const about = { operand: operandOf(), baseline: "sha256-b", now: NOW };
  const applied = (
    annotations: Readonly<Record<string, string>> = {},
    parts?: Readonly<Record<string, string>>,
  ): KubeObject => {
    const found = object({ annotations, ...(parts === undefined ? {} : { parts }) });
    const managedFields = [{ manager: `operand.levelset.dev/${P}`, operation: "Apply" as const }];
    return { ...found, metadata: { ...found.metadata, managedFields } };
  };
  const MARK = "operand.levelset.dev/prune-after";

  test("goes only if this Operand provably applied or inherited it", () => {
    expect(decideSweeping(applied(), about)).toEqual({ kind: "go", isMarked: false });
    expect(decideSweeping(object({ parts: { [P]: INHERITED } }), about)).toEqual({ kind: "go", isMarked: false });
    expect(decideSweeping(object({}), about)).toEqual({ kind: "leave" });
    expect(decideSweeping(applied({}, {}), about)).toEqual({ kind: "leave" });
  });

  test("waits for its time or for a word, and then no mode keeps it", () => {
    const due = "2026-01-01T00:00:10Z";
    expect(decideSweeping(applied({ [MARK]: due }), about)).toEqual({ kind: "wait", reason: "Deferred", due });
    const later = decideSweeping(applied({ [MARK]: due }), { ...about, now: NOW + 10_000 });
    expect(later).toEqual({ kind: "go", isMarked: true });
    expect(decideSweeping(applied({ [MARK]: "confirm" }), about)).toEqual({ kind: "wait", reason: "Confirm" });
    const told = { ...about.operand.metadata, annotations: { "operand.levelset.dev/prune-confirmed": "sha256-b" } };
    const confirmed = { ...about, operand: { ...about.operand, metadata: told } };
    expect(decideSweeping(applied({ [MARK]: "confirm" }), confirmed)).toEqual({ kind: "go", isMarked: true });
    const deferred = around([], { operand: operandOf({ prune: { mode: "Deferred", after: "1h" } }) });
    expect(decidePruning(ref, applied(), whenDue(deferred, { isMarked: true }))).toEqual({ kind: "delete" });
    expect(decidePruning(ref, applied(), whenDue(deferred, { isMarked: false }))).toMatchObject({ kind: "mark" });
  });
});
