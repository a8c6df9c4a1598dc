import { expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { stateOfReady } from "./object-state.ts";
import type { ObjectState } from "./object-state.ts";

type Input = Pick<Condition, "status" | "severity" | "reason">;

const CASES: readonly (readonly [ObjectState, Input | undefined])[] = [
  ["Unknown", undefined],
  ["Ready", { status: "True", reason: "Ready" }],
  ["Progressing", { status: "Unknown", reason: "Running" }],
  ["Progressing", { status: "False", severity: "Info", reason: "Waiting" }],
  ["Degraded", { status: "False", severity: "Warning", reason: "Error" }],
  ["Failed", { status: "False", severity: "Error", reason: "InvalidManifest" }],
  ["Failed", { status: "False", reason: "Broken" }],
  ["Deleting", { status: "False", severity: "Error", reason: "Deleting" }],
  ["Paused", { status: "False", severity: "Info", reason: "Suspended" }],
];

test.each(CASES)("%s is shown for the Ready condition %j", (state, ready) => {
  expect(stateOfReady(ready)).toBe(state);
});
