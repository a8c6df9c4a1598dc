import { kind, s } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { checkStatus } from "./status-check.ts";

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({}),
  status: s.object({
    any: s.any().optional(),
    part: s.object({ size: s.int32().optional() }).optional(),
    list: s.array(s.object({ name: s.string() })).optional(),
  }),
});

/** An object that contains itself. */
const circle: { own: unknown } = { own: undefined };
circle.own = [circle];

class Box {
  readonly size = 1;
}

describe("a status is rejected that contains", () => {
  test.for<readonly [string, unknown, string]>([
    ["NaN", Number.NaN, "status.any is NaN"],
    ["an infinite number", { a: [1, -Infinity] }, "status.any.a[1] is -Infinity"],
    ["a function", { a: () => {} }, "status.any.a is a function"],
    ["a symbol", [Symbol("x")], "status.any[0] is a symbol"],
    ["undefined in a list", [1, undefined], "status.any[1] is undefined"],
    ["a gap in a list", Object.assign([], { 1: "x" }), "status.any[0] is undefined"],
    ["a Map", new Map([["a", 1]]), "status.any is a Map"],
    ["a Promise", { later: Promise.resolve(1) }, "status.any.later is a Promise"],
    ["a cycle", circle, "status.any.own[0] refers to an object that contains it"],
    ["text that cannot be stored", "a\ud83d", "status.any must be well-formed Unicode"],
  ])("%s", ([, any, problem]) => {
    expect(checkStatus(Thing, { any })).toEqual({ kind: "invalid", problem: expect.stringContaining(problem) });
  });
});

describe("a status is valid that contains", () => {
  test.for<readonly [string, unknown]>([
    ["null", null],
    ["an undefined member", { a: undefined }],
    ["a large integer", 2n ** 60n],
    ["a time, which is written as text", new Date(0)],
    ["an instance of a class", new Box()],
    ["the same object twice", [circle.own === undefined, { a: Box }.a.name, [Thing.kind], [Thing.kind]]],
  ])("%s", ([, any]) => {
    expect(checkStatus(Thing, { any })).toEqual({ kind: "valid" });
  });

  test("an undeclared member that is undefined", () => {
    expect(checkStatus(Thing, { extra: undefined })).toEqual({ kind: "valid" });
  });
});

test("undeclared fields at any depth are named and left out, and those of the engine are ignored", () => {
  const conditions = [{ type: "Ready", extra: 1 }];
  const status = {
    conditions,
    observedGeneration: 1,
    extra: 1,
    part: { size: 2, seize: 3 },
    list: [{ name: "a", x: 1 }],
  };
  expect(checkStatus(Thing, status)).toEqual({
    kind: "undeclared",
    problem:
      "the status of Thing does not declare status.extra, status.part.seize, status.list[0].x, so the server drops it: declare it in the kind",
    declared: { conditions, observedGeneration: 1, part: { size: 2 }, list: [{ name: "a" }] },
  });
});

test("a message names ten fields at most", () => {
  const any = Array.from({ length: 12 }, () => Number.NaN);
  expect(checkStatus(Thing, { any })).toMatchObject({ problem: expect.stringMatching(/any\[9\] is NaN, 2 more: /u) });
});
