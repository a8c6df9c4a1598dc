import { parseApiVersion } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConditionHistory } from "./condition-history.ts";
import { conditionViews } from "../page/object-page.ts";
import { objectRow } from "./object-row.ts";

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("True", "False", "Ready"),
);
const FIELDS = [
  "conditions",
  "observedGeneration",
  "type",
  "status",
  "reason",
  "message",
  "lastTransitionTime",
  "phase",
];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie("value")),
  ),
}));
const kinds = fc.constantFrom(
  ["a.example/v1", "Thing"] as const,
  ["apps/v1", "Deployment"] as const,
  ["v1", "Pod"] as const,
  ["batch/v1", "Job"] as const,
  ["operand.levelset.dev/v1alpha1", "Operand"] as const,
);

const SIMPLE = { kind: "Simple", group: "a.example", hasStatus: true };
const OPERAND = { kind: "Operand", group: "operand.levelset.dev", hasStatus: true };
const PAUSED = { annotations: { "levelset.dev/paused": "true" } };

/** Returns an object at generation 1 with a Ready condition. */
function object(metadata: object, ready: object, spec: object = {}): KubeObject {
  const conditions = [{ type: "Ready", reason: "", message: "m", lastTransitionTime: "", ...ready }];
  const own = { name: "a", uid: "u", resourceVersion: "1", generation: 1, ...metadata };
  const status = { observedGeneration: 1, conditions };
  return { apiVersion: "a.example/v1", kind: "Simple", metadata: own, spec, status } as KubeObject;
}

test.for([
  ["Ready is True", "ready", SIMPLE, object({}, { status: "True" })],
  ["severity Info", "progressing", SIMPLE, object({}, { status: "False", severity: "Info" })],
  ["severity Warning", "degraded", SIMPLE, object({}, { status: "False", severity: "Warning" })],
  [
    "severity Warning of an earlier generation",
    "progressing",
    SIMPLE,
    object({ generation: 2 }, { status: "False", severity: "Warning" }),
  ],
  ["severity Error", "failed", SIMPLE, object({}, { status: "False", severity: "Error" })],
  ["no status", "unknown", SIMPLE, { ...object({}, {}), status: undefined }],
  ["the paused annotation", "paused", SIMPLE, object(PAUSED, { status: "True" })],
  [
    "a deletion timestamp",
    "deleting",
    SIMPLE,
    object({ ...PAUSED, deletionTimestamp: "2026-01-01T00:00:00Z" }, { status: "True" }),
  ],
  ["a field suspend of another kind", "ready", SIMPLE, object({}, { status: "True" }, { suspend: true })],
  [
    "spec.suspend of an Operand",
    "paused",
    OPERAND,
    {
      ...object({}, { status: "False" }, { suspend: true }),
      apiVersion: "operand.levelset.dev/v1alpha1",
      kind: "Operand",
    },
  ],
] as const)("an object with %s has the state %s", ([, state, kind, shown]) => {
  expect(objectRow(shown, kind).state).toBe(state);
});

test("objects with arbitrary content have a row and conditions that can be serialized", () => {
  fc.assert(
    fc.property(kinds, value, value, ([apiVersion, kind], spec, status) => {
      const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 3 };
      const object = { apiVersion, kind, metadata, spec, status } as KubeObject;
      const row = objectRow(object, { kind, group: parseApiVersion(apiVersion).group, hasStatus: true });
      expect(JSON.parse(JSON.stringify(row))).toEqual(row);
      expect(() => JSON.stringify(conditionViews(object, new ConditionHistory(), []))).not.toThrow();
    }),
    { numRuns: 500 },
  );
});
