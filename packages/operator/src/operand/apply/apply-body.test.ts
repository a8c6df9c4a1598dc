import { ConfigMap, Deployment, kind, Namespace, s } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { EmbeddedObject, JsonObject, Kind } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { applyBodyOf } from "./apply-body.ts";
import type { ApplyBody } from "./apply-body.ts";
import { parseItem } from "../spec/item.ts";

const inventory = {
  apiVersion: "operand.levelset.dev/v1alpha1",
  kind: "ClusterActiveOperand",
  metadata: { name: "sha256-0123456789", uid: "inventory-uid", resourceVersion: "1" },
};

function body(kind: Kind, manifest: EmbeddedObject, inventoryUid = "inventory-uid"): ApplyBody {
  const item = parseItem(manifest, "steadyState[0]");
  if ("problem" in item) throw new Error(item.problem);
  return applyBodyOf(item, kind, "operand-uid", {
    ...inventory,
    metadata: { ...inventory.metadata, uid: inventoryUid },
  });
}

function config(fields: JsonObject = {}, metadata: JsonObject = {}): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "shop", ...metadata }, ...fields };
}

const labelOf = ({ metadata }: ApplyBody): unknown =>
  (metadata["labels"] as JsonObject)["operand.levelset.dev/operand-uid"];

describe("the apply body of a manifest", () => {
  test("is the manifest plus the inventory's owner reference and the Operand's labels", () => {
    const other = { apiVersion: "v1", kind: "Node", name: "n", uid: "other" };
    const made = body(ConfigMap, config({ data: { a: "1" } }, { labels: { mine: "yes" }, ownerReferences: [other] }));
    expect(made).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    const { name, uid } = inventory.metadata;
    const ours = { apiVersion: inventory.apiVersion, kind: inventory.kind, name, uid };
    expect(made.metadata["ownerReferences"]).toEqual([other, ours]);
    expect(made.metadata["labels"]).toMatchObject({ mine: "yes", "operand.levelset.dev/managed": "true" });
  });

  test("drops prune annotations of a manifest that was read from a cluster", () => {
    const annotations = {
      "operand.levelset.dev/prune-after": "confirm",
      "operand.levelset.dev/pruning": "u",
      mine: "yes",
    };
    expect(body(ConfigMap, config({}, { annotations })).metadata["annotations"]).toEqual({ mine: "yes" });
  });

  test("has numbers as the server returns them, if its kind declares them", () => {
    const spec = s.object({ total: s.number(), count: s.int64() });
    const Share = kind({ group: "test.levelset.dev", version: "v1", kind: "Share", spec });
    const fields = parseJson(`{"spec":{"total":1152921504606847000,"count":1152921504606847000}}`) as JsonObject;
    const manifest = { ...config(fields), apiVersion: "test.levelset.dev/v1", kind: "Share" };
    expect(body(Share, manifest)).toMatchObject({ spec: { total: 2 ** 60, count: 1_152_921_504_606_847_000n } });
    expect(body({ ...Share, schema: {} }, manifest)).toMatchObject({ spec: { total: 1_152_921_504_606_847_000n } });
  });

  test("drops fields that only the server sets", () => {
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

  test("has no owner reference for a kind that holds objects of others", () => {
    const made = body(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    expect(made.metadata).not.toHaveProperty("ownerReferences");
  });

  test("has a label whose value depends on the field paths, not on their values or the inventory", () => {
    const one = labelOf(body(ConfigMap, config({ data: { a: "1" } })));
    expect(one).toMatch(/^[0-9a-f]{1,63}$/u);
    expect(labelOf(body(ConfigMap, config({ data: { a: "2" } })))).toBe(one);
    expect(labelOf(body(ConfigMap, config({ data: { a: "1" } }), "another"))).toBe(one);
    expect(labelOf(body(ConfigMap, config({ data: { b: "1" } })))).not.toBe(one);
    expect(labelOf(body(ConfigMap, config()))).not.toBe(one);
  });

  test("preserves integers beyond 2^53 and text", () => {
    const text =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"shop"},"data":{"k<&>\u2028":"v<&>"},"n":9007199254740993}';
    const made = stringifyJson(body(ConfigMap, parseJson(text) as EmbeddedObject));
    expect(made).toContain('"data":{"k<&>\u2028":"v<&>"},"n":9007199254740993');
  });
});
