import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { RECONCILE_ANNOTATION } from "../engine/index.ts";
import { changedPaths } from "../cache/index.ts";
import { describeTrigger } from "../queue/index.ts";
import { changeTriggers } from "./triggers.ts";

type Fields = Readonly<Record<string, unknown>>;

function thing(fields: Fields, metadata: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a", uid: "u", resourceVersion: "1", ...metadata },
    ...fields,
  };
}

function updated(before: KubeObject, after: KubeObject, managers: readonly ManagedFieldsEntry[] = []): string {
  const change = { kind: "updated", previous: before, object: after } as const;
  return changeTriggers(change, { origin: "live", managers }).map(describeTrigger).join(", ");
}

const entry = (manager: string, time: string, fieldsV1: Fields): ManagedFieldsEntry => ({ manager, time, fieldsV1 });

describe("the reason of a run", () => {
  test("names the field and its last manager", () => {
    const managers = [
      entry("kubectl-edit", "2026-01-02T00:00:00Z", { "f:spec": { "f:image": {} } }),
      entry("helm", "2026-01-01T00:00:00Z", { "f:spec": { "f:image": {}, "f:size": {} } }),
      entry("status-writer", "2026-01-03T00:00:00Z", { "f:status": { "f:x": {} } }),
    ];
    const before = thing({ spec: { image: "1", size: 1 } });
    expect(updated(before, thing({ spec: { image: "2", size: 1 } }), managers)).toBe(
      "spec.image changed (kubectl-edit)",
    );
    expect(updated(before, thing({ spec: { image: "1", size: 2 } }), managers)).toBe("spec.size changed (helm)");
    expect(updated(before, thing({ spec: { image: "2", size: 2 } }), managers)).toBe(
      "spec.image and more changed (kubectl-edit)",
    );
  });

  test("finds the manager of a list entry by the list, and none if managedFields have no entry", () => {
    const managers = [entry("scaler", "2026-01-01T00:00:00Z", { "f:spec": { "f:ports": { 'k:{"name":"web"}': {} } } })];
    const ports = (port: number): KubeObject => thing({ spec: { ports: [{ name: "web", port }] } });
    expect(updated(ports(1), ports(2), managers)).toBe("spec.ports[web].port changed (scaler)");
    expect(updated(ports(1), ports(2))).toBe("spec.ports[web].port changed");
  });

  test("finds the manager of an annotation whose key has dots", () => {
    const managers = [
      entry("kubectl-annotate", "2026-01-02T00:00:00Z", {
        "f:metadata": { "f:annotations": { ".": {}, "f:example.dev/tick": {} } },
      }),
      entry("helm", "2026-01-03T00:00:00Z", { "f:metadata": { "f:annotations": { "f:example": {} } } }),
    ];
    const annotated = (tick: string): KubeObject => thing({}, { annotations: { "example.dev/tick": tick } });
    expect(updated(annotated("1"), annotated("2"), managers)).toBe(
      "metadata.annotations.example.dev/tick changed (kubectl-annotate)",
    );
  });

  test("distinguishes deletions, label changes, other changes and empty writes", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    expect(updated(thing({}), thing({}, { deletionTimestamp }))).toBe("deletion requested");
    expect(updated(thing({}, { labels: { a: "1" } }), thing({}, { labels: { a: "2" } }))).toBe(
      "metadata.labels.a changed",
    );
    expect(updated(thing({}), thing({}, { resourceVersion: "2" }))).toBe("written without a change");
  });

  test("includes both a deletion and a request if one event covers both writes", () => {
    const after = thing(
      {},
      { deletionTimestamp: "2026-01-01T00:00:00Z", annotations: { [RECONCILE_ANNOTATION]: "1" } },
    );
    const change = { kind: "updated", previous: thing({}), object: after } as const;
    expect(changeTriggers(change, { origin: "live", managers: [] })).toEqual([
      { kind: "deletion" },
      { kind: "requested" },
    ]);
  });
});

describe("changed paths", () => {
  test("are as deep as possible and identify list entries by type or name", () => {
    const before = { conditions: [{ type: "Ready", reason: "A" }], list: [1, 2], same: { x: 1 } };
    const after = { conditions: [{ type: "Ready", reason: "B" }], list: [1, 3], same: { x: 1 }, extra: true };
    expect(changedPaths(before, after)).toEqual([".conditions[Ready].reason", ".list", ".extra"]);
  });

  test("are limited in number", () => {
    const many = (value: number): Fields => Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, value]));
    expect(changedPaths(many(1), many(2))).toHaveLength(5);
  });
});
