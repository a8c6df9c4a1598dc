import { ConfigMap, Deployment, Namespace, parseJson, stringifyJson } from "@levelset/core";
import type { EmbeddedObject, JsonObject, Kind } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { bodyOf } from "./body.ts";
import type { Body } from "./body.ts";
import { readItem } from "./item.ts";

const inventory = {
  apiVersion: "operand.levelset.dev/v1alpha1",
  kind: "ClusterActiveOperand",
  metadata: { name: "sha256-0123456789", uid: "inventory-uid", resourceVersion: "1" },
};

function body(kind: Kind, manifest: EmbeddedObject, inventoryUid = "inventory-uid"): Body {
  const item = readItem(manifest, "steadyState[0]");
  if ("problem" in item) throw new Error(item.problem);
  return bodyOf(item, kind, "operand-uid", { ...inventory, metadata: { ...inventory.metadata, uid: inventoryUid } });
}

function config(fields: JsonObject = {}, metadata: JsonObject = {}): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "shop", ...metadata }, ...fields };
}

const labelOf = ({ metadata }: Body): unknown => (metadata["labels"] as JsonObject)["operand.levelset.dev/operand-uid"];

describe("what is applied for a manifest", () => {
  test("is the manifest, owned by the inventory beside whoever else it names, and labelled as part of the set", () => {
    const other = { apiVersion: "v1", kind: "Node", name: "n", uid: "other" };
    const made = body(ConfigMap, config({ data: { a: "1" } }, { labels: { mine: "yes" }, ownerReferences: [other] }));
    expect(made).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    const { name, uid } = inventory.metadata;
    const ours = { apiVersion: inventory.apiVersion, kind: inventory.kind, name, uid };
    expect(made.metadata["ownerReferences"]).toEqual([other, ours]);
    expect(made.metadata["labels"]).toMatchObject({ mine: "yes", "operand.levelset.dev/managed": "true" });
  });

  test("has no marks of a prune, which a manifest has that was read from a cluster", () => {
    const annotations = {
      "operand.levelset.dev/prune-after": "confirm",
      "operand.levelset.dev/pruning": "u",
      mine: "yes",
    };
    expect(body(ConfigMap, config({}, { annotations })).metadata["annotations"]).toEqual({ mine: "yes" });
  });

  test("has nothing of what only a server says", () => {
    const metadata = {
      uid: "u",
      resourceVersion: "7",
      generation: 3,
      creationTimestamp: null,
      managedFields: [],
      selfLink: "/",
    };
    const made = body(Deployment, {
      ...config({}, metadata),
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { replicas: 1 },
    });
    expect(Object.keys(made.metadata).toSorted()).toEqual(["labels", "name", "namespace", "ownerReferences"]);
    expect(made).not.toHaveProperty("status");
  });

  test("is not owned where it holds what others made", () => {
    const made = body(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    expect(made.metadata).not.toHaveProperty("ownerReferences");
  });

  test("has a label whose value depends on which fields there are, not on their values nor on the inventory", () => {
    const one = labelOf(body(ConfigMap, config({ data: { a: "1" } })));
    expect(one).toMatch(/^[0-9a-f]{1,63}$/u);
    expect(labelOf(body(ConfigMap, config({ data: { a: "2" } })))).toBe(one);
    expect(labelOf(body(ConfigMap, config({ data: { a: "1" } }), "another"))).toBe(one);
    expect(labelOf(body(ConfigMap, config({ data: { b: "1" } })))).not.toBe(one);
    expect(labelOf(body(ConfigMap, config()))).not.toBe(one);
  });

  test("keeps integers beyond 2^53 and text as they are", () => {
    const text =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"shop"},"data":{"k<&>\u2028":"v<&>"},"n":9007199254740993}';
    const made = stringifyJson(body(ConfigMap, parseJson(text) as EmbeddedObject));
    expect(made).toContain('"data":{"k<&>\u2028":"v<&>"},"n":9007199254740993');
  });
});
