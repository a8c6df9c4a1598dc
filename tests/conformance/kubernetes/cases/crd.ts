import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { at } from "../suite/match.ts";
import { crd, declareKind, served } from "../suite/objects.ts";
import { until } from "../suite/until.ts";

const string = { type: "string" };

const integer = { type: "integer" };

const CRDS = "customresourcedefinitions";

/** CustomResourceDefinitions themselves. */
export const CRD: readonly Case[] = group("CRD", "requests", [
  [
    "a declared kind becomes NamesAccepted and Established",
    "docs: custom resource definitions",
    async (t) => {
      const { name } = await declareKind(t, { names: { shortNames: ["wdg"] } });
      const answer = await t.get(`${CRDS}/${name}`);
      const conditions = answer
        .list("status.conditions")
        .map((item) => `${String(at(item, "type"))} ${String(at(item, "status"))} ${String(at(item, "reason"))}`);
      assert.deepEqual(conditions, ["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"]);
      answer.is({
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
      (await t.create(CRDS, object)).is({ spec: { names: { singular: "widget", listKind: "WidgetList" } } });
    },
  ],
  [
    "the name must be plural and group",
    "apiextensions: validation of the name",
    async (t) => {
      const object = { ...crd(t), metadata: { name: "gadgets.example.com" } };
      await refused(t.create(CRDS, object), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
        message: /must be spec\.names\.plural\+"\."\+spec\.group/u,
      });
    },
  ],
  [
    "a version needs a schema",
    "docs: structural schemas are required",
    async (t) => {
      await refused(t.create(CRDS, crd(t, { version: { schema: undefined } })), 422, "Invalid", {
        causes: ["spec.versions[0].schema.openAPIV3Schema: FieldValueRequired"],
      });
    },
  ],
  [
    "exactly one version is stored",
    "apiextensions: validation of versions",
    async (t) => {
      await refused(t.create(CRDS, crd(t, { version: { storage: false } })), 422, "Invalid", {
        message: /must have exactly one version marked as storage version/u,
      });
    },
  ],
  [
    "a property needs a type: the schema must be structural",
    "docs: structural schemas",
    async (t) => {
      await refused(
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
    "a default must be valid by its schema",
    "docs: custom resources, defaulting",
    async (t) => {
      await refused(
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
      const answer = await refused(
        t.create(CRDS, crd(t, { spec: { "x-kubernetes-validations": [{ rule: "self.absent > 1" }] } })),
        422,
        "Invalid",
        {
          causes: [
            "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: FieldValueInvalid",
          ],
        },
      );
      answer.is({ message: /undefined field 'absent'/u });
    },
  ],
  [
    "a rule that may cost too much is forbidden",
    "docs: custom resources, validation rules, resource use",
    async (t) => {
      const list = {
        type: "array",
        items: string,
        "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, self.all(z, x + y != z)))" }],
      };
      await refused(t.create(CRDS, crd(t, { spec: { properties: { x: list } } })), 422, "Invalid", {
        message: /x-kubernetes-validations\[0\]\.rule: Forbidden/u,
      });
    },
  ],
  [
    "a list of type map needs keys, and items that are objects with them",
    "docs: custom resources, merge strategy",
    async (t) => {
      const items = { type: "object", properties: { name: string } };
      const list = { type: "array", items, "x-kubernetes-list-type": "map" };
      await refused(t.create(CRDS, crd(t, { spec: { properties: { x: list } } })), 422, "Invalid", {
        message: /x-kubernetes-list-map-keys: Required value/u,
      });
    },
  ],
  [
    "scope and group cannot be changed",
    "apiextensions: immutability after Established",
    async (t) => {
      const { name } = await declareKind(t);
      await refused(t.patch("merge", `${CRDS}/${name}`, { spec: { scope: "Cluster" } }), 422, "Invalid", {
        causes: ["spec.scope: FieldValueInvalid"],
        message: /field is immutable/u,
      });
    },
  ],
  [
    "a stored version cannot be removed",
    "apiextensions: storedVersions",
    async (t) => {
      const { name } = await declareKind(t);
      const versions = [{ name: "v2", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }];
      await refused(t.patch("merge", `${CRDS}/${name}`, { spec: { versions } }), 422, "Invalid", {
        causes: ["status.storedVersions[0]: FieldValueInvalid"],
      });
    },
  ],
  [
    "preserveUnknownFields is refused",
    "docs: custom resources, field pruning",
    async (t) => {
      await refused(t.create(CRDS, crd(t, { crd: { preserveUnknownFields: true } })), 422, "Invalid", {
        causes: ["spec.preserveUnknownFields: FieldValueInvalid"],
      });
    },
  ],
  [
    "a second kind with the same names in one group is not accepted",
    "apiextensions: naming controller",
    async (t) => {
      const { group: name } = await declareKind(t);
      await t.create(CRDS, {
        ...crd(t, { plural: "gadgets", kind: "Widget", names: { singular: "gadget", listKind: "GadgetList" } }),
      });
      await until("it is refused", async () => {
        const conditions = (await t.get(`${CRDS}/gadgets.${name}`)).at("status.conditions");
        if (!Array.isArray(conditions)) return undefined;
        const accepted: unknown = conditions.find((item) => at(item, "type") === "NamesAccepted");
        return at(accepted, "status") === "False" && at(accepted, "reason") === "KindConflict";
      });
      assert.equal((await t.send("GET", `/apis/${name}/v1/gadgets`)).status, 404);
    },
  ],
  [
    "instances go with the CRD",
    "apiextensions: finalizing controller",
    async (t) => {
      const { name } = await declareKind(t);
      await t.create("widgets", { metadata: { name: "a" } });
      await t.delete(`${CRDS}/${name}`);
      await t.gone(`${CRDS}/${name}`);
      await until("it is no longer served", async () => (await t.send("GET", "widgets")).status === 404);
      await t.create(CRDS, crd(t));
      await served(t, "widgets");
      (await t.get("widgets")).is({ items: [] });
    },
  ],
  [
    "an instance with a finalizer keeps the CRD terminating, and no new one is created",
    "apiextensions: finalizing controller",
    async (t) => {
      const { name } = await declareKind(t);
      await t.create("widgets", { metadata: { name: "a", finalizers: ["example.com/x"] } });
      (await t.delete(`${CRDS}/${name}`)).is({
        metadata: { finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
      });
      await until("it is terminating", async () => {
        const conditions = (await t.get(`${CRDS}/${name}`)).list("status.conditions");
        return conditions.some((item) => at(item, "type") === "Terminating" && at(item, "status") === "True");
      });
      await until("creates are refused", async () =>
        (await t.send("POST", "widgets", { body: t.typed("widgets", { metadata: { generateName: "b-" } }) })).has(403),
      );
      await t.patch("merge", "widgets/a", { metadata: { finalizers: null } });
      await t.gone(`${CRDS}/${name}`);
    },
  ],
  [
    "a change of the schema applies to later writes",
    "docs: custom resource definitions",
    async (t) => {
      const { name } = await declareKind(t, { spec: { properties: { x: integer } } });
      const patch = [
        { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/y", value: string },
      ];
      await t.patch("json", `${CRDS}/${name}`, patch);
      await until("the new field is kept", async () => {
        const answer = await t.send("POST", "widgets", {
          body: t.typed("widgets", { metadata: { generateName: "a-" }, spec: { y: "1" } }),
        });
        return answer.at("spec.y") === "1";
      });
    },
  ],
]);
