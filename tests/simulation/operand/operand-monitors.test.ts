import type { KubeObject } from "@levelset/core";
import type { Monitor, ObservedWrite } from "@levelset/simulation";
import { describe, expect, test } from "vitest";
import { conditionsOfGeneration, healthGate, nothingForeignDeleted, nothingLost } from "./operand-monitors.ts";

const UID = "00000000-0000-4000-8000-000000000001";
const GROUP = "operand.levelset.dev/v1alpha1";
const REF = { group: "", kind: "ConfigMap", namespace: "default", name: "x" };
const READY = { observedGeneration: 1, conditions: [{ type: "Ready", status: "True", observedGeneration: 1 }] };
const DELETING = { deletionTimestamp: "2026-01-01T00:00:00Z" };

function write(kind: ObservedWrite["kind"], object: object, isDeletedByUser = false): ObservedWrite {
  return { kind, object: object as KubeObject, isDeletedByUser };
}

function operand(status: object): object {
  const metadata = { name: "o", uid: UID, generation: 2 };
  return { apiVersion: GROUP, kind: "Operand", metadata, spec: {}, status };
}

function inventory(name: string, metadata: object = {}, live: readonly object[] = [REF]): object {
  const ownerReferences = [{ apiVersion: GROUP, kind: "Operand", name: "o", uid: UID, controller: true }];
  return {
    apiVersion: GROUP,
    kind: "ClusterActiveOperand",
    metadata: { name, uid: `${name}-uid`, generation: 1, ownerReferences, ...metadata },
    spec: { live },
    status: READY,
  };
}

const MARK = { [`operand.levelset.dev/${UID}`]: "hash" };
const MANAGERS = [{ manager: `operand.levelset.dev/${UID}`, operation: "Apply" }];

function config(metadata: object = { labels: MARK, managedFields: MANAGERS }): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x", namespace: "default", uid: "x-uid", ...metadata },
  };
}

const installed = (status: string): object => ({
  latestReadyActiveOperand: "a",
  latestCreatedActiveOperand: "b",
  conditions: [{ type: "OperandInstalled", status, observedGeneration: 2 }],
});

/** Returns what the monitor says about the last write. */
function verdict(start: () => Monitor, ...writes: readonly ObservedWrite[]): string | undefined {
  const monitor = start();
  const verdicts = writes.map((each) => monitor(each));
  expect(verdicts.slice(0, -1).every((each) => each === undefined)).toBe(true);
  return verdicts.at(-1);
}

describe("the health gate", () => {
  const before = [write("created", inventory("a")), write("created", inventory("b"))];
  const removal = write("updated", inventory("a", DELETING));

  test("holds if the baseline is removed after its successor is installed", () => {
    expect(verdict(healthGate, write("created", operand(installed("True"))), ...before, removal)).toBeUndefined();
  });

  test("is violated if the baseline is removed while its successor is not installed", () => {
    const verdictOfRemoval = verdict(healthGate, write("created", operand(installed("False"))), ...before, removal);
    expect(verdictOfRemoval).toMatch(/before b is installed/u);
  });

  test("is violated if the baseline is removed without a successor", () => {
    const [first] = before;
    const status = { latestReadyActiveOperand: "a", latestCreatedActiveOperand: "a" };
    const writes = [write("created", operand(status)), ...(first === undefined ? [] : [first]), removal];
    expect(verdict(healthGate, ...writes)).toMatch(/without a successor/u);
  });

  test("lets users delete everything", () => {
    const byUser = write("updated", inventory("a", DELETING), true);
    expect(verdict(healthGate, write("created", operand(installed("False"))), ...before, byUser)).toBeUndefined();
  });

  test("is violated if an object is deleted that the baseline lists", () => {
    const writes = [write("created", operand(installed("True"))), ...before, write("created", config())];
    expect(verdict(healthGate, ...writes, write("deleted", config()))).toMatch(
      /ConfigMap x is deleted, and a lists it/u,
    );
  });
});

describe("an object is lost", () => {
  const known = [write("created", operand({})), write("created", inventory("a")), write("created", config())];

  test("if its last inventory is gone and the status does not list it", () => {
    expect(verdict(nothingLost, ...known, write("deleted", inventory("a")))).toBe(
      "ConfigMap x is in no inventory of o",
    );
  });

  test("if its Operand is gone", () => {
    const gone = verdict(nothingLost, ...known, write("deleted", operand({})));
    expect(gone).toBe("ConfigMap x belongs to an Operand that does not exist");
  });

  test("but not while the status lists it", () => {
    const pending = write("updated", operand({ pending: [REF] }));
    expect(verdict(nothingLost, ...known, pending, write("deleted", inventory("a")))).toBeUndefined();
  });
});

test("an object that no Operand has applied must not be deleted, unless by a user", () => {
  const copy = config({ labels: MARK });
  expect(verdict(nothingForeignDeleted, write("created", copy), write("deleted", copy))).toMatch(/no Operand has it/u);
  expect(verdict(nothingForeignDeleted, write("created", copy), write("deleted", copy, true))).toBeUndefined();
  expect(verdict(nothingForeignDeleted, write("created", config()), write("deleted", config()))).toBeUndefined();
});

test("Ready must not be True without its parts, and no condition may be about a later generation", () => {
  const part = (type: string, observedGeneration: number): object => ({ type, status: "True", observedGeneration });
  const of = (...conditions: readonly object[]): ObservedWrite => write("updated", operand({ conditions }));
  const parts = [part("OperandInstalled", 2), part("LatestActiveOperandReady", 2)];
  expect(verdict(conditionsOfGeneration, of(part("Ready", 2), ...parts))).toBeUndefined();
  expect(verdict(conditionsOfGeneration, of(part("Ready", 2), ...parts.slice(1)))).toMatch(/OperandInstalled/u);
  expect(verdict(conditionsOfGeneration, of(part("OperandInstalled", 3)))).toMatch(/generation 3/u);
});
