import { TYPE_A, aListOf, global } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { CEL_BOOL, equal } from "../value/index.ts";
import type { CelList } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

function containsAll(list: CelList, part: CelList): boolean {
  return part.every((item) => list.some((each) => equal(each, item)));
}

function test(id: string, call: (a: CelList, b: CelList) => boolean): readonly Overload[] {
  return [global(id, { parameters: [aListOf(TYPE_A), aListOf(TYPE_A)], result: CEL_BOOL, cost: "pairs", call })];
}

/** Lists as sets. */
export const SETS: CelLibrary = {
  name: "sets",
  functions: [
    ["sets.contains", test("list_sets_contains_list", containsAll)],
    ["sets.equivalent", test("list_sets_equivalent_list", (a, b) => containsAll(a, b) && containsAll(b, a))],
    [
      "sets.intersects",
      test("list_sets_intersects_list", (a, b) => a.some((item) => b.some((each) => equal(each, item)))),
    ],
  ],
};
