import type { KubeObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { inventoryName, InvariantChecker } from "./invariants.ts";
import type { ObservedEvent } from "./invariants.ts";

const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "x" }, data: { a: "1" } };
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };
const NAME = inventoryName([ref], "u");
const EMPTY = inventoryName([], "u");

let revision = 0;

function seen(kind: string, object: object, isGone = false): ObservedEvent {
  const { metadata, ...rest } = object as KubeObject;
  revision++;
  return { kind, isGone, object: { ...rest, metadata: { ...metadata, resourceVersion: String(revision) } } };
}

const operand = (spec: object, status: object, generation = 1): ObservedEvent =>
  seen("Operand.operand.levelset.dev", {
    kind: "Operand",
    metadata: { name: "o", uid: "u", generation },
    spec,
    status,
  });

function inventory(name: string, live: readonly object[] = [ref], end: object = {}, isGone = false): ObservedEvent {
  const metadata = { name, uid: `${name}-uid`, ownerReferences: [{ uid: "u", controller: true }], ...end };
  return seen("ClusterActiveOperand.operand.levelset.dev", { metadata, spec: { live } }, isGone);
}

const config = (isGone = false, fields: object = { data: { a: "1" } }): ObservedEvent =>
  seen(
    "ConfigMap.",
    { kind: "ConfigMap", metadata: { namespace: "shop", name: "x", uid: "x-uid", labels: PART }, ...fields },
    isGone,
  );

const PART = { "operand.levelset.dev/u": "hash" };
const GOING = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const bit = (status: string, observedGeneration = 1): object => ({
  conditions: [{ type: "LatestActiveOperandReady", status, observedGeneration }],
});
const both = { latestReadyActiveOperand: NAME, latestCreatedActiveOperand: NAME };
const declared = { steadyState: [manifest] };

function watch(...events: readonly ObservedEvent[]): () => void {
  return () => new InvariantChecker().observe(events);
}

test("the checker computes the reference names of inventories", () => {
  expect(inventoryName([], "u")).toBe("sha256-4f53cda18c");
  const platoon = { group: "apps", kind: "Deployment", namespace: "test", name: "platoon" };
  expect(inventoryName([platoon], "u")).toBe("sha256-5989f51667");
});

describe("the checker", () => {
  test("accepts a correct history", () => {
    const history = watch(
      operand(declared, { latestCreatedActiveOperand: NAME, ...bit("Unknown") }),
      inventory(NAME),
      config(),
      operand(declared, { ...both, installedSteadyStateGeneration: 1, ...bit("True") }),
      operand({}, { ...both, ...bit("True") }, 2),
      operand({}, { ...both, latestCreatedActiveOperand: EMPTY, ...bit("Unknown", 2) }, 2),
      inventory(EMPTY, []),
      operand(
        {},
        { ...both, latestCreatedActiveOperand: EMPTY, conditions: [{ type: "OperandInstalled", status: "True" }] },
        2,
      ),
      inventory(NAME, [ref], GOING),
      config(true),
      inventory(NAME, [ref], GOING, true),
    );
    expect(history).not.toThrow();
  });

  test("detects a third inventory (I1)", () => {
    const named = { latestReadyActiveOperand: "a", latestCreatedActiveOperand: "b" };
    expect(watch(operand({}, named), inventory("a"), inventory("b"), inventory("c"))).toThrow(/I1/u);
  });

  test("detects an inventory that the status does not name, also one that is being removed (I2)", () => {
    expect(watch(operand({}, {}), inventory("a"))).toThrow(/I2/u);
    const named = { latestReadyActiveOperand: "a" };
    expect(watch(operand({}, named), inventory("a"), inventory("a", [], GOING), operand({}, {}))).toThrow(
      /I2|baseline/u,
    );
  });

  test("detects a LatestActiveOperandReady that contradicts the names, either way (I3)", () => {
    expect(watch(operand(declared, { ...both, ...bit("Unknown") }))).toThrow(/I3/u);
    expect(watch(operand({}, { ...both, ...bit("True") }))).toThrow(/I3/u);
    expect(watch(operand(declared, { latestCreatedActiveOperand: NAME, ...bit("True") }))).toThrow(/I3/u);
  });

  test("detects the deletion of an object of the spec or of the current baseline (I4)", () => {
    expect(watch(operand(declared, {}), config(), config(true))).toThrow(/I4/u);
    expect(watch(operand({}, both), inventory(NAME), config(), config(true))).toThrow(/I4/u);
  });

  test("detects an installed set that is missing, different or unhealthy (I5)", () => {
    const installed = { installedSteadyStateGeneration: 1 };
    expect(watch(operand(declared, installed))).toThrow(/I5.*exists/u);
    expect(watch(config(false, { data: { a: "2" } }), operand(declared, installed))).toThrow(/I5.*matches/u);
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } };
    const live = seen("Deployment.apps", {
      metadata: { name: "d", uid: "d", generation: 2 },
      status: { observedGeneration: 1 },
    });
    expect(watch(live, operand({ steadyState: [deployment] }, installed))).toThrow(/I5.*healthy/u);
  });

  test("detects the removal of a baseline without a successor", () => {
    const named = { ...both, latestCreatedActiveOperand: EMPTY };
    expect(watch(operand({}, named), inventory(NAME), inventory(NAME, [ref], GOING))).toThrow(/successor/u);
  });

  test("detects inventories that outlive their Operand", () => {
    const gone = (): ObservedEvent => ({ ...operand({}, {}), isGone: true });
    expect(watch(operand({}, both), inventory(NAME), gone())).toThrow(/deleted Operand has no inventories/u);
  });

  test("rejects events that arrive out of order", () => {
    const checker = new InvariantChecker();
    const early = config();
    checker.observe([config()]);
    expect(() => checker.observe([early])).toThrow(/too late/u);
  });
});
