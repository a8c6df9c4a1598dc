import type { EmbeddedObject } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsOf } from "../spec/install-order.ts";
import { parseItem } from "../spec/item.ts";
import type { ManifestItem } from "../spec/item.ts";

interface ItemOptions {
  readonly wave?: string;
  readonly dependsOn?: readonly string[];
}

/** Item from `kind/name`; `dependsOn` uses the same notation. */
function item(words: string, { wave, dependsOn = [] }: ItemOptions = {}): ManifestItem {
  const [type = "", name = ""] = words.split("/");
  const [kind = "", ...group] = type.split(".");
  const annotations = {
    ...(wave === undefined ? {} : { "operand.levelset.dev/wave": wave }),
    "operand.levelset.dev/depends-on": dependsOn.map(dependency).join(","),
  };
  const apiVersion = group.length === 0 ? "v1" : `${group.join(".")}/v1`;
  const object: EmbeddedObject = { apiVersion, kind, metadata: { name, annotations } };
  const read = parseItem(object, words);
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

function dependency(words: string): string {
  const [type = "", name = ""] = words.split("/");
  const [kind = "", ...group] = type.split(".");
  return `${group.join(".")}/${kind}/${name}`;
}

function order(items: readonly ManifestItem[]): readonly (readonly string[])[] {
  return groupsOf(items).map((group) => group.map(({ at }) => at));
}

test("prerequisite kinds come first, workloads last", () => {
  const rbac = "rbac.authorization.k8s.io";
  const expected = [
    ["CustomResourceDefinition.apiextensions.k8s.io/x"],
    ["Namespace/x"],
    [`ClusterRole.${rbac}/x`, "ServiceAccount/x"],
    [`ClusterRoleBinding.${rbac}/x`],
    ["ConfigMap/x", "Secret/x"],
    ["ValidatingWebhookConfiguration.admissionregistration.k8s.io/x"],
    ["Service/x", "Widget.example.com/x"],
    ["Deployment.apps/x", "StatefulSet.apps/x"],
  ];
  const all = expected.flat().map((words) => item(words));
  expect(order(all)).toEqual(expected);
  const sorted = order(all.toReversed()).map((group) => group.toSorted());
  expect(sorted).toEqual(expected.map((group) => group.toSorted()));
});

test("waves take precedence over kinds, and dependencies come before their dependents", () => {
  const items = [
    item("ConfigMap/late", { wave: "1" }),
    item("Deployment.apps/first", { wave: "-1" }),
    item("ConfigMap/a", { dependsOn: ["ConfigMap/b"] }),
    item("ConfigMap/b", { dependsOn: ["ConfigMap/c"] }),
    item("ConfigMap/c"),
    item("Secret/d"),
  ];
  expect(order(items)).toEqual([
    ["Deployment.apps/first"],
    ["ConfigMap/c", "Secret/d"],
    ["ConfigMap/b"],
    ["ConfigMap/a"],
    ["ConfigMap/late"],
  ]);
});

test("an object that depends on a later stage is applied in that stage, after its dependency", () => {
  const items = [
    item("ConfigMap/a", { dependsOn: ["Deployment.apps/d"] }),
    item("Deployment.apps/d"),
    item("Service/s"),
  ];
  expect(order(items)).toEqual([["Service/s"], ["Deployment.apps/d"], ["ConfigMap/a"]]);
});

test("each item of a random set comes once, after all its dependencies", () => {
  const kinds = ["Namespace", "ConfigMap", "Service", "Deployment.apps", "Widget.example.com"];
  const node = fc.record({ kind: fc.constantFrom(...kinds), on: fc.array(fc.nat(20), { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(node, { maxLength: 12 }), (nodes) => {
      const names = nodes.map(({ kind }, index) => `${kind}/n${index}`);
      // Depends only on earlier items, so that there are no cycles.
      const items = nodes.map(({ on }, index) => {
        const dependsOn = on.flatMap((other) => (other < index ? (names[other] ?? []) : []));
        return item(names[index] ?? "", { dependsOn });
      });
      const groups = order(items);
      expect(groups.flat().toSorted()).toEqual(names.toSorted());
      const place = new Map(groups.flatMap((group, at) => group.map((name) => [name, at] as const)));
      for (const [index, { on }] of nodes.entries()) {
        for (const other of on.filter((one) => one < index)) {
          expect(place.get(names[other] ?? "")).toBeLessThan(place.get(names[index] ?? "") ?? -1);
        }
      }
    }),
  );
});
