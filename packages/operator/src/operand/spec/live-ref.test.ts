import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { activeOperandName, describeLiveRef, liveRefId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

const platoon = { group: "apps", kind: "Deployment", namespace: "test", name: "platoon" };

describe("the name of an inventory", () => {
  test("matches the reference values", () => {
    expect(activeOperandName([])).toBe("sha256-4f53cda18c");
    expect(activeOperandName([platoon])).toBe("sha256-5989f51667");
  });

  test("is the hash of compact JSON as Go encodes it, with empty version and resource", () => {
    const odd = { group: "", kind: "ConfigMap", namespace: "default", name: 'a<b>&c\u2028d\u2029"\\é' };
    const form =
      '[{"group":"","version":"","resource":"","kind":"ConfigMap","namespace":"default",' +
      '"name":"a\\u003cb\\u003e\\u0026c\\u2028d\\u2029\\"\\\\é"}]';
    expect(activeOperandName([odd])).toBe(`sha256-${createHash("sha256").update(form).digest("hex").slice(0, 10)}`);
  });

  const text = fc.string({ unit: fc.constantFrom("a", "b", "<", "&", ">", "é", "-"), maxLength: 4 });
  const ref: fc.Arbitrary<LiveRef> = fc.record(
    { group: text, kind: text, namespace: text.filter((one) => one !== ""), name: text },
    { requiredKeys: ["group", "kind", "name"] },
  );
  const refs = fc.uniqueArray(ref, { selector: liveRefId, maxLength: 8 });

  test("is independent of the order, and differs for another set", () => {
    const orders = refs.chain((set) => fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length })));
    fc.assert(
      fc.property(orders, ([set, shuffled]) => {
        expect(activeOperandName(shuffled)).toBe(activeOperandName(set));
        expect(sortRefs(shuffled)).toEqual(sortRefs(set));
      }),
    );
    fc.assert(
      fc.property(refs, refs, (a, b) => {
        fc.pre(JSON.stringify(sortRefs(a)) !== JSON.stringify(sortRefs(b)));
        expect(activeOperandName(a)).not.toBe(activeOperandName(b));
      }),
    );
  });

  test("differs with a salt", () => {
    expect(activeOperandName([platoon], "uid 1")).not.toBe(activeOperandName([platoon]));
    expect(activeOperandName([platoon], "uid 1")).not.toBe(activeOperandName([platoon], "uid 2"));
    expect(activeOperandName([platoon], "uid 1")).toMatch(/^sha256-[0-9a-f]{10}$/u);
  });

  test("treats an absent namespace like an empty one", () => {
    expect(activeOperandName([{ group: "", kind: "Node", name: "n", namespace: "" }])).toBe(
      activeOperandName([{ group: "", kind: "Node", name: "n" }]),
    );
  });
});

test("references are sorted by group, kind, namespace and name", () => {
  const rows = [
    { group: "apps", kind: "A", name: "a" },
    { group: "", kind: "B", name: "a" },
    { group: "", kind: "A", namespace: "n", name: "a" },
    { group: "", kind: "A", name: "b" },
    { group: "", kind: "A", name: "a" },
  ];
  expect(sortRefs(rows)).toEqual([rows[4], rows[3], rows[2], rows[1], rows[0]]);
});

test("a reference is formatted like a kubectl argument", () => {
  expect(describeLiveRef(platoon)).toBe("deployment.apps/platoon in test");
  expect(describeLiveRef({ group: "", kind: "Namespace", name: "shop" })).toBe("namespace/shop");
});
