import { TYPE_A, listParam, functionOverload } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { CEL_BOOL, equal } from "../value/index.ts";
import type { CelList, CostTracker } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

type SetTest = (meter: CostTracker, a: CelList, b: CelList) => boolean;

const containsAll: SetTest = (meter, list, part) => {
  return part.every((item) => list.some((each) => equal(each, item, meter)));
};

function test(id: string, metered: SetTest): readonly Overload[] {
  return [
    functionOverload(id, {
      parameters: [listParam(TYPE_A), listParam(TYPE_A)],
      result: CEL_BOOL,
      cost: "pairs",
      metered,
    }),
  ];
}

/** The CEL functions `sets.contains`, `sets.equivalent` and `sets.intersects`, which compare lists as sets. */
export const SETS_LIBRARY: CelLibrary = {
  name: "sets",
  functions: [
    ["sets.contains", test("list_sets_contains_list", containsAll)],
    [
      "sets.equivalent",
      test("list_sets_equivalent_list", (meter, a, b) => containsAll(meter, a, b) && containsAll(meter, b, a)),
    ],
    [
      "sets.intersects",
      test("list_sets_intersects_list", (meter, a, b) => a.some((item) => b.some((each) => equal(each, item, meter)))),
    ],
  ],
};
