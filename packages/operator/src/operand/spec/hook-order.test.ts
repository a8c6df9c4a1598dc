import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import { itemsUpToHook } from "./hook-order.ts";
import { parseItem } from "./item.ts";
import type { ManifestItem } from "./item.ts";

function item(
  apiVersion: string,
  kind: string,
  name: string,
  operand: Readonly<Record<string, string>> = {},
): ManifestItem {
  const annotations: JsonObject = Object.fromEntries(
    Object.entries(operand).map(([key, value]) => [`operand.levelset.dev/${key}`, value]),
  );
  const object: EmbeddedObject = { apiVersion, kind, metadata: { name, namespace: "shop", annotations } };
  const read = parseItem(object, "steadyState[0]");
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

test("a hook is preceded by its prerequisites by kind and by what it depends on, and by nothing else", () => {
  const on = (kind: string, name: string, group = ""): string => `${group}/namespaces/shop/${kind}/${name}`;
  const items = [
    item("v1", "ServiceAccount", "account"),
    item("v1", "Secret", "password", { "depends-on": on("ServiceAccount", "account") }),
    item("v1", "ConfigMap", "late", { wave: "1" }),
    item("v1", "ConfigMap", "generated", { "depends-on": on("Deployment", "web", "apps") }),
    item("v1", "Service", "db"),
    item("apps/v1", "StatefulSet", "db", { "depends-on": on("Service", "db") }),
    item("apps/v1", "Deployment", "web"),
    item("batch/v1", "Job", "migrate", { hook: "preUpgrade", "depends-on": on("StatefulSet", "db", "apps") }),
    item("batch/v1", "Job", "backup", { hook: "preDelete" }),
    item("batch/v1", "Job", "seed"),
  ];
  expect(itemsUpToHook(items, "preUpgrade").map(({ ref }) => `${ref.kind} ${ref.name}`)).toEqual([
    "ServiceAccount account",
    "Secret password",
    "Service db",
    "StatefulSet db",
    "Job migrate",
  ]);
});
