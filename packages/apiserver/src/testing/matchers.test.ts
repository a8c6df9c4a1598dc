import type { ObjectWithConditions } from "@levelset/core";
import { expect, test } from "vitest";
import { toBeReady, toHaveCondition } from "./matchers.ts";

function widget(status: ObjectWithConditions["status"]): ObjectWithConditions {
  const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 2 };
  return { apiVersion: "v1", kind: "Widget", metadata, ...(status === undefined ? {} : { status }) };
}

const waiting = {
  type: "Ready",
  status: "False",
  severity: "Info",
  reason: "Starting",
  message: "database starts",
  lastTransitionTime: "2026-01-01T00:00:00Z",
} as const;

test("an object is ready when Ready is True for its current generation, and a failure states the reason", () => {
  const ready = { ...waiting, status: "True", severity: undefined } as unknown as typeof waiting;
  expect(toBeReady(widget({ observedGeneration: 2, conditions: [ready] })).pass).toBe(true);
  const old = toBeReady(widget({ observedGeneration: 1, conditions: [ready] }));
  expect(old.pass).toBe(false);
  expect(old.message()).toContain("observed generation 1 of 2");
  expect(toBeReady(widget(undefined)).message()).toContain("it has no such condition");
});

test("a condition is compared by status and the other given fields", () => {
  const object = widget({ observedGeneration: 2, conditions: [waiting] });
  expect(toHaveCondition(object, "Ready", "False").pass).toBe(true);
  expect(
    toHaveCondition(object, "Ready", "False", { severity: "Info", reason: "Starting", message: /data/u }).pass,
  ).toBe(true);
  expect(toHaveCondition(object, "Ready", "False", { severity: "Error" }).pass).toBe(false);
  expect(toHaveCondition(object, "Ready", "False", { reason: "Other" }).pass).toBe(false);
  expect(toHaveCondition(object, "Ready", "False", { message: "other" }).pass).toBe(false);
  const wrong = toHaveCondition(object, "Ready", "True");
  expect(wrong.message()).toBe("expected Widget a to have Ready True: Ready is False Info Starting: database starts");
});
