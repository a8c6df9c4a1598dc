import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { child, operator } from "@levelset/operator";
import { expect, test } from "vitest";
import { abandonedChildren } from "./abandoned-children.ts";

const Shop = kind({ group: "test.levelset.dev", version: "v1", kind: "Shop", spec: s.object({}) });
const shop = {
  apiVersion: "test.levelset.dev/v1",
  kind: "Shop",
  metadata: { name: "a", uid: "u", resourceVersion: "1" },
};
const shops = operator(Shop, [
  child(Shop, "Settings", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name } }) }),
]);

function configOf(step: string, ownerReferences: readonly object[] = [controllerReference(shop)]): typeof shop {
  const metadata = { name: "a", namespace: "default", uid: "c", resourceVersion: "1" };
  const marked = { ...metadata, ownerReferences, annotations: { "levelset.dev/step": `${step}/default/a` } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: marked };
}

test("a child of a step that the operator does not have is noted", () => {
  expect(abandonedChildren([shops], [configOf("Flags")])).toEqual([
    "ConfigMap default/a is not managed any more: the operator has no step Flags",
  ]);
});

test("children of present steps and of other owners are not noted", () => {
  const other = { ...controllerReference(shop), kind: "Store" };
  expect(
    abandonedChildren([shops], [shop, configOf("Settings"), configOf("Flags", []), configOf("Flags", [other])]),
  ).toEqual([]);
});
