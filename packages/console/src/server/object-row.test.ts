import { parseApiVersion } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConditionHistory } from "./condition-history.ts";
import { conditionViews } from "./object-page.ts";
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

test("whatever others write into an object, it has a row and conditions that can be sent", () => {
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
