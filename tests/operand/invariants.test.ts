import type { KubeObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { inventoryName, Witness } from "./invariants.ts";
import type { SeenEvent } from "./invariants.ts";

const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "x" }, data: { a: "1" } };
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };
const NAME = inventoryName([ref], "u");
const EMPTY = inventoryName([], "u");

let revision = 0;

function seen(kind: string, object: object, isGone = false): SeenEvent {
  const { metadata, ...rest } = object as KubeObject;
  revision++;
  return { kind, isGone, object: { ...rest, metadata: { ...metadata, resourceVersion: String(revision) } } };
}

const operand = (spec: object, status: object, generation = 1): SeenEvent =>
  seen("Operand.operand.levelset.dev", {
    kind: "Operand",
    metadata: { name: "o", uid: "u", generation },
    spec,
    status,
  });

function inventory(name: string, live: readonly object[] = [ref], end: object = {}, isGone = false): SeenEvent {
  const metadata = { name, uid: `${name}-uid`, ownerReferences: [{ uid: "u", controller: true }], ...end };
  return seen("ClusterActiveOperand.operand.levelset.dev", { metadata, spec: { live } }, isGone);
}

const config = (isGone = false, fields: object = { data: { a: "1" } }): SeenEvent =>
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
const asked = { steadyState: [manifest] };

function watch(...events: readonly SeenEvent[]): () => void {
  return () => new Witness().look(events);
}

test("the witness names inventories as they are named in the book", () => {
  expect(inventoryName([], "u")).toBe("sha256-4f53cda18c");
  const platoon = { group: "apps", kind: "Deployment", namespace: "test", name: "platoon" };
  expect(inventoryName([platoon], "u")).toBe("sha256-5989f51667");
});

describe("a witness is content with a life without mistakes, and sees", () => {
  test("nothing wrong in one", () => {
    const life = watch(
      operand(asked, { latestCreatedActiveOperand: NAME, ...bit("Unknown") }),
      inventory(NAME),
      config(),
      operand(asked, { ...both, installedSteadyStateGeneration: 1, ...bit("True") }),
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
    expect(life).not.toThrow();
  });

  test("I1: a third inventory", () => {
    const named = { latestReadyActiveOperand: "a", latestCreatedActiveOperand: "b" };
    expect(watch(operand({}, named), inventory("a"), inventory("b"), inventory("c"))).toThrow(/I1/u);
  });

  test("I2: an inventory that the status does not name, also one that is being removed", () => {
    expect(watch(operand({}, {}), inventory("a"))).toThrow(/I2/u);
    const named = { latestReadyActiveOperand: "a" };
    expect(watch(operand({}, named), inventory("a"), inventory("a", [], GOING), operand({}, {}))).toThrow(
      /I2|baseline/u,
    );
  });

  test("I3: a bit that says something else than the names, either way", () => {
    expect(watch(operand(asked, { ...both, ...bit("Unknown") }))).toThrow(/I3/u);
    expect(watch(operand({}, { ...both, ...bit("True") }))).toThrow(/I3/u);
    expect(watch(operand(asked, { latestCreatedActiveOperand: NAME, ...bit("True") }))).toThrow(/I3/u);
  });

  test("I4: the end of an object that is asked for, or that an untouched baseline has", () => {
    expect(watch(operand(asked, {}), config(), config(true))).toThrow(/I4/u);
    expect(watch(operand({}, both), inventory(NAME), config(), config(true))).toThrow(/I4/u);
  });

  test("I5: a set that counts as installed and is not there, not as asked for, or not healthy", () => {
    const installed = { installedSteadyStateGeneration: 1 };
    expect(watch(operand(asked, installed))).toThrow(/I5.*there/u);
    expect(watch(config(false, { data: { a: "2" } }), operand(asked, installed))).toThrow(/I5.*as asked/u);
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } };
    const live = seen("Deployment.apps", {
      metadata: { name: "d", uid: "d", generation: 2 },
      status: { observedGeneration: 1 },
    });
    expect(watch(live, operand({ steadyState: [deployment] }, installed))).toThrow(/I5.*healthy/u);
  });

  test("the end of a baseline whose successor is not there", () => {
    const named = { ...both, latestCreatedActiveOperand: EMPTY };
    expect(watch(operand({}, named), inventory(NAME), inventory(NAME, [ref], GOING))).toThrow(/successor/u);
  });

  test("inventories that are left when their Operand is gone", () => {
    const gone = (): SeenEvent => ({ ...operand({}, {}), isGone: true });
    expect(watch(operand({}, both), inventory(NAME), gone())).toThrow(/so is every inventory/u);
  });

  test("events that come too late to be looked at in their order", () => {
    const witness = new Witness();
    const early = config();
    witness.look([config()]);
    expect(() => witness.look([early])).toThrow(/too late/u);
  });
});
