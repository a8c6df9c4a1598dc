import type { ManagedFieldsEntry } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { NOON, testObject } from "./explain-input.fixture.ts";
import { lastChange } from "./last-change.ts";

const LATER = "2026-01-01T12:05:00Z";
const entry = (manager: string, fieldsV1: ManagedFieldsEntry["fieldsV1"], rest: ManagedFieldsEntry = {}) => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: NOON,
  fieldsType: "FieldsV1",
  fieldsV1: fieldsV1 ?? {},
  ...rest,
});
const made = entry("kubectl-create", {
  "f:metadata": { "f:labels": {} },
  "f:spec": { "f:replicas": {}, "f:image": {} },
});
const changeOf = (...managedFields: ManagedFieldsEntry[]) =>
  lastChange(testObject("a", { metadata: { managedFields, creationTimestamp: NOON } }));

describe("the last change of an object", () => {
  test("is the creation until another client writes the spec", () => {
    const status = entry("operator", { "f:status": { "f:x": {} } }, { subresource: "status", time: LATER });
    const finalizer = entry("operator", { "f:metadata": { "f:finalizers": {} } }, { time: LATER });
    expect(changeOf(made, status, finalizer)).toEqual({
      manager: "kubectl-create",
      at: NOON,
      created: true,
      fields: [".spec.image", ".spec.replicas"],
      left: 0,
    });
  });

  test("names the latest writer and the first few of its innermost fields", () => {
    const containers = { ".": {}, 'k:{"name":"web"}': { ".": {}, "f:image": {}, "f:env": {} } };
    const edit = entry(
      "kubectl-edit",
      { "f:spec": { "f:containers": containers, "f:x": {}, "f:y": {} } },
      { time: LATER },
    );
    expect(changeOf(made, edit)).toEqual({
      manager: "kubectl-edit",
      at: LATER,
      created: false,
      fields: ['.spec.containers[name="web"].env', '.spec.containers[name="web"].image', ".spec.x"],
      left: 1,
    });
  });

  test("is unknown if managedFields are absent or unreadable", () => {
    expect(changeOf()).toBeUndefined();
    expect(changeOf(entry("a", { "f:spec": {} }, { fieldsType: "FieldsV9" }))).toBeUndefined();
  });
});
