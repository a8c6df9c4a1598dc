import { labelSelectorFromObject, matchLabels } from "@levelset/core";
import type { KubeObject, LabelSelector } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { labelSelectorOf } from "../step/index.ts";
import { labelValues, wantedValues } from "./label-index.ts";

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

test("an object is found under a value of every selector that matches it, in its namespace and anywhere", () => {
  fc.assert(
    fc.property(query, labels, namespace, namespace, (asked, has, home, place) => {
      const selector = labelSelectorOf(asked);
      const isIn = place === undefined || place === home;
      if (!isIn || !matchLabels(selector, has)) return;
      const values = labelValues(objectIn(home, has));
      expect(wantedValues(place, selector).filter((each) => values.includes(each))).toHaveLength(1);
    }),
  );
});

test("an object of another namespace is found under no value", () => {
  fc.assert(
    fc.property(query, labels, (asked, has) => {
      const values = labelValues(objectIn("one", has));
      expect(wantedValues("two", labelSelectorOf(asked)).some((each) => values.includes(each))).toBe(false);
    }),
  );
});

test("a map of labels selects as matchLabels does", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1 }), labels, (asked, has) => {
      expect(matchLabels(labelSelectorOf(asked), has)).toBe(
        matchLabels(labelSelectorFromObject({ matchLabels: asked }), has),
      );
    }),
  );
});

test("a query without any requirement selects nothing", () => {
  const nothing: LabelSelector = { kind: "nothing" };
  const asked = [undefined, {}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }];
  expect(asked.map(labelSelectorOf)).toEqual(asked.map(() => nothing));
  expect(wantedValues("one", nothing)).toEqual([]);
});
