import { labelSelectorFromObject, matchesLabelSelector } from "@levelset/core/schema";
import type { KubeObject } from "@levelset/core";
import type { LabelSelector } from "@levelset/core/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { labelSelectorOf } from "../engine/index.ts";
import { labelIndexValues, wantedValues } from "./label-index.ts";

const key = fc.constantFrom("app", "tier", "color");
const value = fc.constantFrom("a", "b", "c");
const labels = fc.dictionary(key, value);
const namespace = fc.constantFrom("one", "two", undefined);
const expression = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom("In", "NotIn"),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
);
const query = fc.oneof(labels, fc.record({ matchLabels: labels, matchExpressions: fc.array(expression) }));

function objectIn(place: string | undefined, has: Readonly<Record<string, string>>): KubeObject {
  const metadata = { name: "a", uid: "u", resourceVersion: "1", labels: has };
  const home = place === undefined ? {} : { namespace: place };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, ...home } };
}

test("an object is indexed under a value of every matching selector, for its namespace and for all namespaces", () => {
  fc.assert(
    fc.property(query, labels, namespace, namespace, (requested, has, home, place) => {
      const selector = labelSelectorOf(requested);
      const isIn = place === undefined || place === home;
      if (!isIn || !matchesLabelSelector(selector, has)) return;
      const values = labelIndexValues(objectIn(home, has));
      expect(wantedValues(place, selector).filter((each) => values.includes(each))).toHaveLength(1);
    }),
  );
});

test("an object of another namespace is not found", () => {
  fc.assert(
    fc.property(query, labels, (requested, has) => {
      const values = labelIndexValues(objectIn("one", has));
      expect(wantedValues("two", labelSelectorOf(requested)).some((each) => values.includes(each))).toBe(false);
    }),
  );
});

test("a map of labels selects as matchLabels does", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1 }), labels, (requested, has) => {
      expect(matchesLabelSelector(labelSelectorOf(requested), has)).toBe(
        matchesLabelSelector(labelSelectorFromObject({ matchLabels: requested }), has),
      );
    }),
  );
});

test("a query without requirements selects no objects", () => {
  const nothing: LabelSelector = { kind: "nothing" };
  const requested = [undefined, {}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }];
  expect(requested.map(labelSelectorOf)).toEqual(requested.map(() => nothing));
  expect(wantedValues("one", nothing)).toEqual([]);
});
