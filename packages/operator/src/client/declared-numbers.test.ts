import { kind, s } from "@levelset/core";
import { parseJson } from "@levelset/core/internal";
import { expect, test } from "vitest";
import { typedObject } from "./response-object.ts";

const Share = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Share",
  spec: s.object({
    total: s.number(),
    parts: s.array(s.object({ of: s.number() })),
    named: s.map(s.number()),
    count: s.int64(),
  }),
});

test("fields of type number are numbers, also beyond 2^53, and fields of int64 keep all digits", () => {
  const spec = `{"total":9007199254740993,"parts":[{"of":1.5},{"of":-9007199254740993}],"named":{"a":9007199254740993},"count":9007199254740993}`;
  const read = parseJson(`{"apiVersion":"test.levelset.dev/v1","kind":"Share","metadata":{"name":"a"},"spec":${spec}}`);
  expect(typedObject(Share, read)).toMatchObject({
    spec: {
      total: 9_007_199_254_740_992,
      parts: [{ of: 1.5 }, { of: -9_007_199_254_740_992 }],
      named: { a: 9_007_199_254_740_992 },
      count: 9_007_199_254_740_993n,
    },
  });
});

test("an object without large integers is returned as it is", () => {
  const read = { apiVersion: "test.levelset.dev/v1", kind: "Share", metadata: { name: "a" }, spec: { total: 1 } };
  expect(typedObject(Share, read)).toBe(read);
});
