import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt } from "../suite/match.ts";
import { crd, installCrd, untilServed } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

const string = { type: "string" };

const integer = { type: "integer" };

const CRDS = "customresourcedefinitions";

/** CustomResourceDefinitions themselves. */
export const CRD: readonly Case[] = group("CRD", "requests", [
  [
    "a CRD becomes NamesAccepted and Established",
    "docs: custom resource definitions",
    async (t) => {
      const { name } = await installCrd(t, { names: { shortNames: ["wdg"] } });
      const response = await t.get(`${CRDS}/${name}`);
      const conditions = response
        .list("status.conditions")
        .map(
          (item) =>
            `${String(valueAt(item, "type"))} ${String(valueAt(item, "status"))} ${String(valueAt(item, "reason"))}`,
        );
      assert.deepEqual(conditions, ["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"]);
      response.expectShape({
        spec: { conversion: { strategy: "None" } },
        status: {
          storedVersions: ["v1"],
          acceptedNames: {
            plural: "widgets",
            singular: "widget",
            kind: "Widget",
            listKind: "WidgetList",
            shortNames: ["wdg"],
          },
        },
      });
    },
  ],
  [
    "singular and listKind have defaults",
    "docs: custom resource definitions, names",
    async (t) => {
      const object = crd(t, { names: { singular: undefined, listKind: undefined } });
      (await t.create(CRDS, object)).expectShape({ spec: { names: { singular: "widget", listKind: "WidgetList" } } });
    },
  ],
  [
    "the name must consist of plural and group",
    "apiextensions: validation of the name",
    async (t) => {
      const object = { ...crd(t), metadata: { name: "gadgets.example.com" } };
      await expectError(t.create(CRDS, object), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
        message: /must be spec\.names\.plural\+"\."\+spec\.group/u,
      });
    },
  ],
  [
    "a version needs a schema",
    "docs: structural schemas are required",
    async (t) => {
      await expectError(t.create(CRDS, crd(t, { version: { schema: undefined } })), 422, "Invalid", {
        causes: ["spec.versions[0].schema.openAPIV3Schema: FieldValueRequired"],
      });
    },
  ],
  [
    "exactly one version is the storage version",
    "apiextensions: validation of versions",
    async (t) => {
      await expectError(t.create(CRDS, crd(t, { version: { storage: false } })), 422, "Invalid", {
        message: /must have exactly one version marked as storage version/u,
      });
    },
  ],
  [
    "a property needs a type: the schema must be structural",
    "docs: structural schemas",
    async (t) => {
      await expectError(
        t.create(CRDS, crd(t, { spec: { properties: { x: { description: "no type" } } } })),
        422,
        "Invalid",
        {
          causes: ["spec.validation.openAPIV3Schema.properties[spec].properties[x].type: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "a default must be valid under its schema",
    "docs: custom resources, defaulting",
    async (t) => {
      await expectError(
        t.create(CRDS, crd(t, { spec: { properties: { x: { type: "integer", default: "one" } } } })),
        422,
        "Invalid",
        {
          causes: ["spec.validation.openAPIV3Schema.properties[spec].properties[x].default: FieldValueTypeInvalid"],
        },
      );
    },
  ],
  [
    "a rule that does not compile is invalid",
    "docs: custom resources, validation rules",
    async (t) => {
      const response = await expectError(
        t.create(CRDS, crd(t, { spec: { "x-kubernetes-validations": [{ rule: "self.absent > 1" }] } })),
        422,
        "Invalid",
        {
          causes: [
            "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: FieldValueInvalid",
          ],
        },
      );
      response.expectShape({ message: /undefined field 'absent'/u });
    },
  ],
  [
    "a rule that is too expensive is forbidden",
    "docs: custom resources, validation rules, resource use",
    async (t) => {
      const list = {
        type: "array",
        items: string,
        "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, self.all(z, x + y != z)))" }],
      };
      await expectError(t.create(CRDS, crd(t, { spec: { properties: { x: list } } })), 422, "Invalid", {
        message: /x-kubernetes-validations\[0\]\.rule: Forbidden/u,
      });
    },
  ],
  [
    "a list of type map needs keys, and items that are objects with these keys",
    "docs: custom resources, merge strategy",
    async (t) => {
      const items = { type: "object", properties: { name: string } };
      const list = { type: "array", items, "x-kubernetes-list-type": "map" };
      await expectError(t.create(CRDS, crd(t, { spec: { properties: { x: list } } })), 422, "Invalid", {
        message: /x-kubernetes-list-map-keys: Required value/u,
      });
    },
  ],
  [
    "scope and group are immutable",
    "apiextensions: immutability after Established",
    async (t) => {
      const { name } = await installCrd(t);
      await expectError(t.patch("merge", `${CRDS}/${name}`, { spec: { scope: "Cluster" } }), 422, "Invalid", {
        causes: ["spec.scope: FieldValueInvalid"],
        message: /field is immutable/u,
      });
    },
  ],
  [
    "a stored version cannot be removed",
    "apiextensions: storedVersions",
    async (t) => {
      const { name } = await installCrd(t);
      const versions = [{ name: "v2", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }];
      await expectError(t.patch("merge", `${CRDS}/${name}`, { spec: { versions } }), 422, "Invalid", {
        causes: ["status.storedVersions[0]: FieldValueInvalid"],
      });
    },
  ],
  [
    "preserveUnknownFields is rejected",
    "docs: custom resources, field pruning",
    async (t) => {
      await expectError(t.create(CRDS, crd(t, { crd: { preserveUnknownFields: true } })), 422, "Invalid", {
        causes: ["spec.preserveUnknownFields: FieldValueInvalid"],
      });
    },
  ],
  [
    "a second kind with the same names in one group is not accepted",
    "apiextensions: naming controller",
    async (t) => {
      const { group: name } = await installCrd(t);
      await t.create(CRDS, {
        ...crd(t, { plural: "gadgets", kind: "Widget", names: { singular: "gadget", listKind: "GadgetList" } }),
      });
      await eventually("it is refused", async () => {
        const conditions = (await t.get(`${CRDS}/gadgets.${name}`)).at("status.conditions");
        if (!Array.isArray(conditions)) return undefined;
        const accepted: unknown = conditions.find((item) => valueAt(item, "type") === "NamesAccepted");
        return valueAt(accepted, "status") === "False" && valueAt(accepted, "reason") === "KindConflict";
      });
      assert.equal((await t.send("GET", `/apis/${name}/v1/gadgets`)).status, 404);
    },
  ],
  [
    "custom resources are deleted with the CRD",
    "apiextensions: finalizing controller",
    async (t) => {
      const { name } = await installCrd(t);
      await t.create("widgets", { metadata: { name: "a" } });
      await t.delete(`${CRDS}/${name}`);
      await t.untilDeleted(`${CRDS}/${name}`);
      await eventually("it is no longer served", async () => (await t.send("GET", "widgets")).status === 404);
      await t.create(CRDS, crd(t));
      await untilServed(t, "widgets");
      (await t.get("widgets")).expectShape({ items: [] });
    },
  ],
  [
    "a custom resource with a finalizer keeps the CRD terminating, and creates are rejected",
    "apiextensions: finalizing controller",
    async (t) => {
      const { name } = await installCrd(t);
      await t.create("widgets", { metadata: { name: "a", finalizers: ["example.com/x"] } });
      (await t.delete(`${CRDS}/${name}`)).expectShape({
        metadata: { finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
      });
      await eventually("it is terminating", async () => {
        const conditions = (await t.get(`${CRDS}/${name}`)).list("status.conditions");
        return conditions.some((item) => valueAt(item, "type") === "Terminating" && valueAt(item, "status") === "True");
      });
      await eventually("creates are refused", async () =>
        (
          await t.send("POST", "widgets", { body: t.withTypeMeta("widgets", { metadata: { generateName: "b-" } }) })
        ).expectStatus(403),
      );
      await t.patch("merge", "widgets/a", { metadata: { finalizers: null } });
      await t.untilDeleted(`${CRDS}/${name}`);
    },
  ],
  [
    "a schema change applies to later writes",
    "docs: custom resource definitions",
    async (t) => {
      const { name } = await installCrd(t, { spec: { properties: { x: integer } } });
      const patch = [
        { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/y", value: string },
      ];
      await t.patch("json", `${CRDS}/${name}`, patch);
      await eventually("the new field is kept", async () => {
        const response = await t.send("POST", "widgets", {
          body: t.withTypeMeta("widgets", { metadata: { generateName: "a-" }, spec: { y: "1" } }),
        });
        return response.at("spec.y") === "1";
      });
    },
  ],
]);
