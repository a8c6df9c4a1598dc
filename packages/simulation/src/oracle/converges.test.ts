import { expect, test } from "vitest";
import type { Snapshot } from "../world/index.ts";
import { compareEnds, findReplaced } from "./converges.ts";

const ID = "ConfigMap default/a-*";
const OWNER = "Thing.example.com default/a";

/** An end with some children of equal content and generated names. */
function end(count: number, options: { readonly owner?: string; readonly isReady?: boolean } = {}): Snapshot {
  const { owner = OWNER, isReady = true } = options;
  const ids = Array.from({ length: count }, (_, index) => (index === 0 ? ID : `${ID} (${index + 1})`));
  return {
    objects: new Map(ids.map((id) => [id, { data: { text: "x" } }])),
    roots: new Map([[OWNER, isReady]]),
    generated: count === 0 ? [] : [{ id: ID, owner, count }],
    incomparable: new Set(),
    completed: new Map(),
  };
}

const compare = (expected: Snapshot, actual: Snapshot, noise: readonly string[] = []) =>
  compareEnds({
    expected,
    actual,
    noise: new Set(noise),
    rule: "faults-change-the-end",
    actualIs: "after faults",
    expectedIs: "that without faults",
  });

test("a second child with a generated name is a duplicate, also beside a root that is Ready", () => {
  expect(compare(end(1), end(2))).toMatchObject({
    rule: "child-duplicated",
    object: ID,
    message: `Thing default/a has 2 children ${ID} after faults, not 1.`,
  });
});

test("as many children as in a new cluster are no duplicates", () => {
  expect(compare(end(3), end(3))).toBeUndefined();
});

test("children beside an object that is not Ready, in a number that is noise, or that nothing wants are no duplicates", () => {
  expect(compare(end(1, { isReady: false }), end(2, { isReady: false }))).toBeUndefined();
  expect(compare(end(1), end(2), [`${ID} (2)`])).toBeUndefined();
  expect(compare(end(0), end(1))?.rule).toBe("ready-beside-other-world");
});

test("two children that are named alike, and whose kinds have the same name, are compared apart", () => {
  const both = (text: string): Snapshot => ({
    ...end(0),
    objects: new Map([
      ["Service default/a", { data: { text } }],
      ["Service.example.com default/a", { data: { text: "x" } }],
    ]),
  });
  expect(compare(both("x"), both("y"))).toMatchObject({
    object: "Service default/a",
    differences: [{ object: "Service default/a", path: "data.text" }],
  });
});

test("children of two owners are counted apart", () => {
  expect(compare(end(1), end(2, { owner: "Thing default/b" }))?.rule).toBe("ready-beside-other-world");
});

test("which of two competing objects is ready may depend on the path, and how many may not", () => {
  const ends = (first: boolean, second: boolean): Snapshot => {
    const roots = new Map([
      ["Thing default/a", first],
      ["Thing default/b", second],
    ]);
    const objects = new Map([...roots].map(([id, ready]) => [id, { status: { ready } }]));
    return { objects, roots, generated: [], incomparable: new Set(), completed: new Map() };
  };
  expect(compare(ends(true, false), ends(false, true))).toBeUndefined();
  expect(compare(ends(true, false), ends(false, false))?.object).toBe("Thing default/a");
});

test("a child that is replaced is found only if it exists at the end without faults", () => {
  const key = "ConfigMap default/a";
  const run = (count: number, isThere: boolean) => ({
    incarnations: new Map([[key, count]]),
    rest: { objects: new Map(isThere ? [[key, {}]] : []) },
  });
  const replaced = (expected: ReturnType<typeof run>, actual: ReturnType<typeof run>) =>
    findReplaced(expected, actual, "under faults").map(({ rule }) => rule);
  expect(replaced(run(1, true), run(2, true))).toEqual(["child-replaced"]);
  expect(replaced(run(2, true), run(2, true))).toEqual([]);
  expect(replaced(run(1, false), run(2, true))).toEqual([]);
});
