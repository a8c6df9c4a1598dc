import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { installCrd } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

const string = { type: "string" };

const integer = { type: "integer" };

const CRDS = "customresourcedefinitions";

/** CEL rules and validation ratcheting (KEP-4008). */
export const VALIDATION_RULES: readonly Case[] = group("custom rules", "requests", [
  [
    "a violated rule is invalid, with its message, reason and field",
    "docs: custom resources, validation rules",
    async (t) => {
      const rules = [
        { rule: "self.min <= self.max", message: "min is above max" },
        {
          rule: "self.max < 100",
          messageExpression: "self.max > 150 ? 'far too big' : 'too big'",
          reason: "FieldValueForbidden",
          fieldPath: ".max",
        },
      ];
      await installCrd(t, {
        spec: {
          properties: { min: integer, max: integer },
          required: ["min", "max"],
          "x-kubernetes-validations": rules,
        },
      });
      const response = await expectError(
        t.create("widgets", { metadata: { name: "a" }, spec: { min: 200, max: 100 } }),
        422,
        "Invalid",
        {
          causes: ["spec: FieldValueInvalid", "spec.max: FieldValueForbidden"],
        },
      );
      response.expectShape({ message: /spec: Invalid value: min is above max/u });
      response.expectShape({ message: /spec\.max: Forbidden: too big/u });
      (await t.create("widgets", { metadata: { name: "a" }, spec: { min: 1, max: 2 } })).expectStatus(201);
    },
  ],
  [
    "a transition rule compares with the old value, on updates only",
    "docs: custom resources, transition rules",
    async (t) => {
      const fixed = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "is fixed" }] };
      const count = {
        type: "integer",
        "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "must not shrink" }],
      };
      await installCrd(t, { spec: { properties: { fixed, count } } });
      await t.create("widgets", { metadata: { name: "a" }, spec: { fixed: "x", count: 1 } });
      await t.patch("merge", "widgets/a", { spec: { count: 2 } });
      await expectError(t.patch("merge", "widgets/a", { spec: { fixed: "y", count: 1 } }), 422, "Invalid", {
        causes: ["spec.fixed: FieldValueInvalid", "spec.count: FieldValueInvalid"],
        message: /is fixed.*must not shrink|must not shrink.*is fixed/su,
      });
    },
  ],
  [
    "with optionalOldSelf a rule is evaluated on creates too",
    "docs: custom resources, optionalOldSelf",
    async (t) => {
      const rules = [
        { rule: "oldSelf.hasValue() || self == 'start'", optionalOldSelf: true, message: "begins with start" },
      ];
      await installCrd(t, { spec: { properties: { phase: { type: "string", "x-kubernetes-validations": rules } } } });
      await expectError(t.create("widgets", { metadata: { name: "a" }, spec: { phase: "end" } }), 422, "Invalid", {
        causes: ["spec.phase: FieldValueInvalid"],
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { phase: "start" } });
      (await t.patch("merge", "widgets/a", { spec: { phase: "end" } })).expectShape({ spec: { phase: "end" } });
    },
  ],
  [
    "unchanged invalid values are tolerated in an update",
    "docs: custom resources, validation ratcheting",
    async (t) => {
      const { name } = await installCrd(t, { spec: { properties: { x: string, y: string } } });
      await t.create("widgets", { metadata: { name: "a" }, spec: { x: "long text", y: "1" } });
      await t.patch("json", `${CRDS}/${name}`, [
        { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x/maxLength", value: 3 },
      ]);
      await eventually(
        "the new bound applies",
        async () =>
          (
            await t.send("POST", "widgets", {
              query: { dryRun: "All" },
              body: t.withTypeMeta("widgets", { metadata: { name: "b" }, spec: { x: "long text" } }),
            })
          ).status === 422,
      );
      (await t.patch("merge", "widgets/a", { spec: { y: "2" } })).expectShape({ spec: { x: "long text", y: "2" } });
      await expectError(t.patch("merge", "widgets/a", { spec: { x: "other long text" } }), 422, "Invalid", {
        causes: ["spec.x: FieldValueTooLong"],
      });
    },
  ],
]);
