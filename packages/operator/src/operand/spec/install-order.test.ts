import type { EmbeddedObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatOrder, groupsOf, installOrder, parseOrder, placesOfRefs, removalGroups } from "./install-order.ts";
import type { InstallLists } from "./install-order.ts";
import { parseItem } from "./item.ts";
import type { ManifestItem } from "./item.ts";
import { liveRefId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

const KINDS: readonly (readonly [string, string])[] = [
  ["v1", "ConfigMap"],
  ["v1", "Service"],
  ["apps/v1", "Deployment"],
  ["v1", "ServiceAccount"],
  ["example.com/v1", "Widget"],
];

const CRD: EmbeddedObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: { group: "example.com", names: { kind: "Widget" } },
};

function item(object: EmbeddedObject): ManifestItem {
  const read = parseItem(object, "steadyState[0]");
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

interface Drawn {
  readonly kind: number;
  readonly wave: number;
  /** Number of earlier objects that it depends on. */
  readonly dependsOn: number;
  readonly isLater: boolean;
}

/** Set without cycles: objects depend on earlier ones of the same or an earlier wave and phase. */
function setOf(drawn: readonly Drawn[]): InstallLists {
  const items: ManifestItem[] = [item(CRD)];
  const later = new Set<string>();
  for (const [index, { kind, wave, dependsOn, isLater }] of drawn.entries()) {
    const [apiVersion, name] = KINDS[kind] ?? ["v1", "ConfigMap"];
    const made = item({ apiVersion, kind: name, metadata: { name: `o${index}`, namespace: "default" } });
    const candidates = items.filter((other) => other.wave <= wave && (isLater || !later.has(liveRefId(other.ref))));
    const dependencies = candidates.slice(-dependsOn || candidates.length).map(({ ref }) => ref);
    items.push({ ...made, wave, dependsOn: dependsOn === 0 ? [] : dependencies });
    if (isLater) later.add(liveRefId(made.ref));
  }
  return { steadyState: items.filter(({ ref }) => !later.has(liveRefId(ref))), merged: items };
}

const sets = fc
  .array(
    fc.record({
      kind: fc.nat(KINDS.length - 1),
      wave: fc.integer({ min: -2, max: 2 }),
      dependsOn: fc.nat(3),
      isLater: fc.boolean(),
    }),
    { maxLength: 15 },
  )
  .map(setOf);

function removed({ merged }: InstallLists, lists: InstallLists): readonly (readonly LiveRef[])[] {
  return removalGroups(
    merged.map(({ ref }) => ref),
    installOrder(lists),
  );
}

describe("the removal order", () => {
  test("is the exact reverse of the install order", () => {
    fc.assert(
      fc.property(sets, (set) => {
        const first = new Set(set.steadyState.map(({ ref }) => liveRefId(ref)));
        const rest = groupsOf(set.merged).map((group) => group.filter(({ ref }) => !first.has(liveRefId(ref))));
        const early = groupsOf(set.merged).map((group) => group.filter(({ ref }) => first.has(liveRefId(ref))));
        const installed = [...early, ...rest].filter((group) => group.length > 0);
        const names = (groups: readonly (readonly LiveRef[])[]): unknown =>
          groups.map((group) => group.map(liveRefId).toSorted());
        const order = names(removed(set, set)) as readonly unknown[];
        expect(order.toReversed()).toEqual(names(installed.map((group) => group.map(({ ref }) => ref))));
      }),
    );
  });

  test("removes dependents before their dependencies, and later waves before earlier ones", () => {
    fc.assert(
      fc.property(sets, (set) => {
        const position = new Map(
          removed(set, set).flatMap((group, index) => group.map((ref) => [liveRefId(ref), index])),
        );
        const at = (ref: LiveRef): number => position.get(liveRefId(ref)) ?? Number.NaN;
        for (const { ref, dependsOn } of set.merged) for (const on of dependsOn) expect(at(ref)).toBeLessThan(at(on));
        const { steadyState } = set;
        const pairs = steadyState.flatMap((a) =>
          steadyState.filter((b) => a.wave > b.wave).map((b) => [a, b] as const),
        );
        for (const [a, b] of pairs) expect(at(a.ref)).toBeLessThan(at(b.ref));
      }),
    );
  });

  test("survives a round trip through an inventory", () => {
    fc.assert(
      fc.property(sets, (set) => {
        const refs = sortRefs(set.merged.map(({ ref }) => ref));
        const order = installOrder(set);
        const stored = parseOrder(refs, formatOrder(refs, order));
        expect(removalGroups(refs, stored ?? new Map())).toEqual(removalGroups(refs, order));
      }),
    );
  });

  test("starts with custom resources of the set's CRDs, then workloads, then their prerequisites", () => {
    const names = ["Deployment apps", "Widget example.com", "CustomResourceDefinition apiextensions.k8s.io", "Secret "];
    const refs = names.map((name): LiveRef => {
      const [kind = "", group = ""] = name.split(" ");
      return { group, kind, name: kind.startsWith("Custom") ? "widgets.example.com" : "a" };
    });
    const kinds = removalGroups(refs, placesOfRefs(refs)).map((group) => group.map(({ kind }) => kind));
    expect(kinds).toEqual([["Widget"], ["Deployment"], ["Secret"], ["CustomResourceDefinition"]]);
  });

  test("keeps classes until the objects that name them are removed", () => {
    const classes: readonly LiveRef[] = [
      { group: "scheduling.k8s.io", kind: "PriorityClass", name: "a" },
      { group: "storage.k8s.io", kind: "StorageClass", name: "a" },
      { group: "networking.k8s.io", kind: "IngressClass", name: "a" },
    ];
    const users: readonly LiveRef[] = [
      { group: "", kind: "Pod", name: "a" },
      { group: "", kind: "PersistentVolumeClaim", name: "a" },
      { group: "networking.k8s.io", kind: "Ingress", name: "a" },
    ];
    const refs = [...classes, ...users];
    expect(removalGroups(refs, placesOfRefs(refs))).toEqual([users, classes]);
  });

  test.each([undefined, "", "0.0.1.0", "0.0.1.0,what", "0.0.1.0,0.0.1.0,0.0.1.0", "0.0.1.0x3", "0.0.1.0x", "x2"])(
    "is not parsed from the order of another list: %s",
    (text) => {
      const refs = ["a", "b"].map((name) => ({ group: "", kind: "ConfigMap", name }));
      expect(parseOrder(refs, text)).toBeUndefined();
    },
  );
});
