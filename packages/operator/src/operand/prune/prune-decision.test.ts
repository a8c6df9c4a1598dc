import type { KubeObject, ObjectOf, OwnerReference } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { inventoryReference } from "../inventory/inventory.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { INHERITED, partLabel } from "../spec/labels-and-annotations.ts";
import { decidePrune, decideLeftover, buildPruneContext, withoutDelay } from "./prune-decision.ts";
import type { PruneContext } from "./prune-decision.ts";

const P = "operand-p";
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };
const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "x" } };
const NOW = Date.UTC(2026, 0, 1);

function inventory(name: string, operandUid: string, live: readonly (typeof ref)[], isRemoved = false): Inventory {
  const owner = {
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    name: "o",
    uid: operandUid,
    controller: true,
  };
  const end = isRemoved ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
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
  // Only these fields of the spec are read here.
  const whole = { ...SPEC, ...spec } as OperandSpec;
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", metadata, spec: whole };
}

/** Inventory A of Operand P is being removed; the others exist. */
function ctx(others: readonly Inventory[], options: Partial<PruneContext> = {}): PruneContext {
  const a = inventory("a", P, [ref], true);
  const state = { isOrphaning: false, propagation: "Background", now: NOW } as const;
  const about = { operand: operandOf(), operandUid: P, removing: new Set(["a-uid"]), ...state };
  return buildPruneContext([a, ...others], { ...about, ...options });
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

describe("an object of an inventory that is being removed", () => {
  test("is deleted although an inventory without an Operand lists it, unless that one owns it", () => {
    const copy = inventory("copy", "", [ref]);
    const ownerless = { ...copy, metadata: { ...copy.metadata, ownerReferences: [] } };
    expect(decidePrune(ref, object({ owners: [a] }), ctx([ownerless]))).toEqual({ kind: "delete" });
    expect(decidePrune(ref, object({ owners: [a, ownerless] }), ctx([ownerless]))).toEqual({
      kind: "keep",
      reason: "Shared",
      newOwner: undefined,
    });
  });

  test("is deleted if no inventory needs it", () => {
    expect(decidePrune(ref, object({ owners: [a] }), ctx([]))).toEqual({ kind: "delete" });
  });

  test("is kept for another inventory of the same Operand, existing or future", () => {
    expect(decidePrune(ref, object({ owners: [a] }), ctx([b]))).toEqual({ kind: "skip" });
    const wanting = ctx([], { operand: operandOf({ steadyState: [manifest] }) });
    expect(decidePrune(ref, object({ owners: [a] }), wanting)).toEqual({ kind: "skip" });
  });

  test("keeps its label while another removed inventory of the Operand still owns it", () => {
    const removed = inventory("b", P, [ref], true);
    expect(decidePrune(ref, object({ owners: [a, removed] }), ctx([removed]))).toEqual({ kind: "skip" });
    expect(decidePrune(ref, object({ owners: [a] }), ctx([removed]))).toEqual({ kind: "delete" });
  });

  test("passes to another Operand that lists it, even before that one has applied it", () => {
    expect(decidePrune(ref, object({ owners: [a] }), ctx([q]))).toEqual({
      kind: "keep",
      reason: "Shared",
      newOwner: { operandUid: "operand-q", inventoryUid: "q-uid" },
    });
  });

  test("is left to another Operand that manages it already", () => {
    const parts = { [P]: "hash", "operand-q": "hash" };
    expect(decidePrune(ref, object({ parts, owners: [a, q] }), ctx([q]))).toEqual({
      kind: "keep",
      reason: "Shared",
      newOwner: undefined,
    });
  });

  test("stays if another owner or another Operand has it", () => {
    const user = { ...q, kind: "Deployment", metadata: { ...q.metadata, uid: "user" } };
    expect(decidePrune(ref, object({ owners: [a, user] }), ctx([]))).toMatchObject({
      kind: "keep",
      reason: "Shared",
    });
    const parts = { [P]: "hash", "operand-q": "hash" };
    expect(decidePrune(ref, object({ parts, owners: [a] }), ctx([]))).toMatchObject({
      kind: "keep",
      reason: "Shared",
    });
  });

  test("stays if it was never adopted, regardless of who lists it", () => {
    expect(decidePrune(ref, object({ parts: {} }), ctx([]))).toMatchObject({ kind: "keep", reason: "NotOurs" });
    expect(decidePrune(ref, object({ parts: {} }), ctx([q]))).toMatchObject({ kind: "keep", newOwner: undefined });
    expect(decidePrune(ref, object({ parts: {} }), ctx([b]))).toEqual({ kind: "skip" });
  });

  test("stays if the Operand orphans its objects, or pruning is disabled for it or for the Operand", () => {
    const owned = object({ owners: [a] });
    expect(decidePrune(ref, owned, ctx([], { isOrphaning: true }))).toMatchObject({ reason: "Orphaned" });
    const annotations = { "operand.levelset.dev/prune": "disabled" };
    expect(decidePrune(ref, object({ owners: [a], annotations }), ctx([]))).toMatchObject({
      reason: "PruneDisabled",
    });
    const disabled = ctx([], { operand: operandOf({ prune: { mode: "Disabled", after: "1h" } }) });
    expect(decidePrune(ref, owned, disabled)).toMatchObject({ kind: "keep", reason: "PruneDisabled" });
  });

  test("is marked with deferred pruning, and deleted at once if the Operand is gone", () => {
    const deferred = operandOf({ prune: { mode: "Deferred", after: "90s" } });
    const owned = object({ owners: [a] });
    expect(decidePrune(ref, owned, ctx([], { operand: deferred }))).toEqual({
      kind: "mark",
      pruneAfter: "2026-01-01T00:01:30Z",
    });
    const confirm = ctx([], { operand: operandOf({ prune: { mode: "Confirm", after: "1h" } }) });
    expect(decidePrune(ref, owned, confirm)).toEqual({ kind: "mark", pruneAfter: "confirm" });
    expect(decidePrune(ref, owned, ctx([], { operand: undefined }))).toEqual({ kind: "delete" });
  });

  test("is never deleted if it is a Namespace or a CRD", () => {
    const namespace = { group: "", kind: "Namespace", name: "shop" };
    expect(decidePrune(namespace, object({}), ctx([]))).toMatchObject({ kind: "keep", reason: "NeverPruned" });
  });
});

describe("a possible leftover", () => {
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

  test("is pruned only if this Operand provably applied or inherited it", () => {
    expect(decideLeftover(applied(), about)).toEqual({ kind: "prune", isMarked: false });
    expect(decideLeftover(object({ parts: { [P]: INHERITED } }), about)).toEqual({ kind: "prune", isMarked: false });
    expect(decideLeftover(object({}), about)).toEqual({ kind: "ignore" });
    expect(decideLeftover(applied({}, {}), about)).toEqual({ kind: "ignore" });
  });

  test("waits for its time or for confirmation, and is then pruned in every mode", () => {
    const due = "2026-01-01T00:00:10Z";
    expect(decideLeftover(applied({ [MARK]: due }), about)).toEqual({ kind: "wait", reason: "Deferred", due });
    const later = decideLeftover(applied({ [MARK]: due }), { ...about, now: NOW + 10_000 });
    expect(later).toEqual({ kind: "prune", isMarked: true });
    expect(decideLeftover(applied({ [MARK]: "confirm" }), about)).toEqual({ kind: "wait", reason: "Confirm" });
    const reported = { ...about.operand.metadata, annotations: { "operand.levelset.dev/prune-confirmed": "sha256-b" } };
    const confirmed = { ...about, operand: { ...about.operand, metadata: reported } };
    expect(decideLeftover(applied({ [MARK]: "confirm" }), confirmed)).toEqual({ kind: "prune", isMarked: true });
    const deferred = ctx([], { operand: operandOf({ prune: { mode: "Deferred", after: "1h" } }) });
    expect(decidePrune(ref, applied(), withoutDelay(deferred, { isMarked: true }))).toEqual({ kind: "delete" });
    expect(decidePrune(ref, applied(), withoutDelay(deferred, { isMarked: false }))).toMatchObject({ kind: "mark" });
  });
});
