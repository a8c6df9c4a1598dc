import { expect, test } from "vitest";
import { labelSelectorFromObject } from "./label-object.ts";
import type { LabelSelectorObject } from "./label-object.ts";
import { formatLabelSelector, matchesLabelSelector } from "./label-selector.ts";

test("an absent selector matches nothing, an empty one everything", () => {
  expect(matchesLabelSelector(labelSelectorFromObject(undefined), { a: "b" })).toBe(false);
  expect(matchesLabelSelector(labelSelectorFromObject(undefined), undefined)).toBe(false);
  expect(matchesLabelSelector(labelSelectorFromObject({}), { a: "b" })).toBe(true);
  expect(matchesLabelSelector(labelSelectorFromObject({ matchLabels: {}, matchExpressions: [] }), undefined)).toBe(
    true,
  );
});

test("labels and expressions become one list in the order of keys", () => {
  const selector = labelSelectorFromObject({
    matchLabels: { tier: "web", app: "x" },
    matchExpressions: [
      { key: "env", operator: "In", values: ["prod", "dev"] },
      { key: "zone", operator: "NotIn", values: ["a"] },
      { key: "canary", operator: "DoesNotExist" },
      { key: "owner", operator: "Exists", values: [] },
    ],
  });
  expect(formatLabelSelector(selector)).toBe("app=x,!canary,env in (dev,prod),owner,tier=web,zone notin (a)");
});

test.each<[LabelSelectorObject, string]>([
  [{ matchLabels: { "a b": "c" } }, "invalid label key 'a b'"],
  [{ matchLabels: { a: "b c" } }, "label 'a': invalid value 'b c'"],
  [{ matchExpressions: [{ key: "a", operator: "In" }] }, "label 'a': In needs values"],
  [{ matchExpressions: [{ key: "a", operator: "NotIn", values: [] }] }, "label 'a': NotIn needs values"],
  [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] }, "label 'a': Exists takes no values"],
  [{ matchExpressions: [{ key: "a", operator: "In", values: ["-"] }] }, "label 'a': invalid value '-'"],
  [{ matchExpressions: [{ key: "a", operator: "in", values: ["b"] }] }, "'in' is not one of the operators"],
  [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] }, "'Gt' is not one of the operators"],
])("%j is rejected with a reason", (object, message) => {
  expect(() => labelSelectorFromObject(object)).toThrow(message);
});
