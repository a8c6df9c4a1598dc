import { expect, test } from "vitest";
import { unrecordedRefs } from "./inventory.ts";
import type { Inventory } from "./inventory.ts";

const config = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "shop", name });
const namespace = { group: "", kind: "Namespace", name: "shop" };

function inventoryOf(live: Inventory["spec"]["live"]): Inventory {
  const metadata = { name: "a", uid: "a-uid", resourceVersion: "1" };
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "ClusterActiveOperand", metadata, spec: { live } };
}

test("an inventory that is removed must be the record of no object that its Operand may own", () => {
  const inventory = inventoryOf([config("x"), config("y"), config("z"), namespace]);
  expect(unrecordedRefs(inventory, [config("x")], [config("y")])).toEqual([config("z")]);
  expect(unrecordedRefs(inventory, [config("x"), config("z")], [config("y")])).toEqual([]);
});
