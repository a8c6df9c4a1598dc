import { expect, test } from "vitest";
import { findStaleReady } from "./stale-ready.ts";

const LATEST = 2;

function thing(status: "True" | "False", whole?: number, single?: number) {
  const observed = (generation: number | undefined) =>
    generation === undefined ? {} : { observedGeneration: generation };
  const ready = { type: "Ready", status, reason: "Any", message: "", lastTransitionTime: "", ...observed(single) };
  const metadata = { name: "a", namespace: "default", uid: "1", resourceVersion: "1", generation: LATEST };
  return { apiVersion: "example.com/v1", kind: "Thing", metadata, status: { ...observed(whole), conditions: [ready] } };
}

test("Ready for an older generation is found, whether the status or the condition says so", () => {
  const [found] = findStaleReady([thing("True", 1)]);
  expect(found?.message).toBe("Thing default/a is Ready at rest with observed generation 1 of 2.");
  expect(findStaleReady([thing("True", undefined, 1)])).toHaveLength(1);
  expect(findStaleReady([thing("True", 2, 1)])).toHaveLength(1);
});

test("Ready for the latest generation or for none, another state, and a deletion are no lie", () => {
  expect(findStaleReady([thing("True", 2, 2), thing("True"), thing("False", 1)])).toEqual([]);
  const deleted = thing("True", 1);
  expect(findStaleReady([{ ...deleted, metadata: { ...deleted.metadata, deletionTimestamp: "now" } }])).toEqual([]);
});
