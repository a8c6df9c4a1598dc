import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { celEnvironment } from "../environment.ts";
import { celLibraries } from "../library/index.ts";
import { CEL_BOOL, CEL_INT, CEL_STRING, listType, mapType, structType } from "../value/index.ts";

const ITEM = structType(
  "Item",
  new Map([
    ["name", { type: CEL_STRING }],
    ["count", { type: CEL_INT }],
  ]),
);
const ENVIRONMENT = celEnvironment({
  variables: {
    items: listType(ITEM),
    names: listType(CEL_STRING),
    labels: mapType(CEL_STRING, CEL_STRING),
    ok: CEL_BOOL,
  },
  libraries: celLibraries.all,
});
const SIZES = {
  paths: { items: 10, "items[*].name": 20, names: 5, "names[*]": 12, labels: 4, "labels[*]": 8, "labels[keys]": 6 },
};

const EXPRESSIONS = [
  "names.all(n, !isURL(n) || url(n).getHost().size() < 9)",
  "names.all(n, !isQuantity(n) || quantity(n).isGreaterThan(quantity('1')))",
  "items.all(i, i.name == 'abc' && i.count > 1)",
  "items.exists(i, items.exists(j, i.name + j.name == 'x'))",
  "names.map(n, n + n).exists(n, n.matches('^a+b'))",
  "items.filter(i, i.name.contains('a')).map(i, i.count).sum() > 3",
  "labels.all(k, labels[k].startsWith('a') || k in names)",
  "labels.transformList(k, v, k + v).join(',').size() > 3",
  "ok ? names == ['a', 'b'] : names.sort() == names",
  "cel.bind(all, names + names, all.exists(n, all.exists(m, n == m + m)))",
  "names.sortBy(n, size(n))[0].replace('a', 'bcd').split('b').size()",
  "has(labels.a) ? labels.a.upperAscii() : labels.?b.orValue('none')",
  "sets.contains(names, labels.map(k, k))",
  "{'a': names, 'b': items.map(i, i.name)}.b.exists(n, n in names)",
  "lists.range(3).map(i, i * 2).distinct().isSorted()",
];

const TEXT = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength });
const DATA = fc.record({
  items: fc.array(fc.record({ name: TEXT(20), count: fc.integer() }), { maxLength: 10 }),
  names: fc.array(TEXT(12), { maxLength: 5 }),
  labels: fc.dictionary(TEXT(6), TEXT(8), { maxKeys: 4 }),
  ok: fc.boolean(),
});

test.each(EXPRESSIONS)("the cost of %s is within the estimate for all data within the sizes", (text) => {
  const compiled = ENVIRONMENT.compile(text);
  if (compiled.kind === "issues") throw new Error(compiled.issues[0]?.text);
  const { min, max } = compiled.program.estimateCost(SIZES);
  // The result of a function of a number has no bound.
  expect(max < 1_000_000).toBe(!text.includes("lists.range"));
  fc.assert(
    fc.property(DATA, (data) => {
      const { cost } = compiled.program.evaluate(data);
      expect(cost).toBeGreaterThanOrEqual(min);
      expect(cost).toBeLessThanOrEqual(max);
    }),
  );
});

describe("an expression over the cost limit is rejected at declaration", () => {
  const refused = (text: string, costMax: number, sizes = {}): string => {
    const compiled = ENVIRONMENT.compile(text, { costMax, sizes });
    return compiled.kind === "issues" ? compiled.issues.map(({ message }) => message).join() : "compiled";
  };

  test("by the sizes of its data", () => {
    const text = "items.all(i, items.all(j, i.name != j.name))";
    expect(refused(text, 100_000, { paths: { items: 10, "items[*].name": 100 } })).toBe("compiled");
    expect(refused(text, 100_000, { paths: { items: 1_000, "items[*].name": 100 } })).toMatch(
      /^estimated cost exceeds the budget: it may cost up to \d+, where 100000 is allowed$/,
    );
  });

  test("if nothing bounds its data", () => {
    expect(refused("items.all(i, i.count > 0)", 1_000_000)).toContain("nothing limits the size of its data");
    expect(refused("items.all(i, i.count > 0)", 1_000_000, { otherwise: 100 })).toBe("compiled");
    expect(refused("ok || !ok", 10)).toBe("compiled");
  });
});
