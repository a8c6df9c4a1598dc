import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { objectDiff } from "./object-diff.ts";

const lines = (before: JsonObject | undefined, after: JsonObject | undefined): string =>
  objectDiff(before, after)
    .map(({ text }) => `${text}\n`)
    .join("");

const config = (data: JsonObject, rest: JsonObject = {}): JsonObject => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  data,
  metadata: { name: "a" },
  ...rest,
});

describe("the diff of two objects", () => {
  test("is empty if only the order of fields differs", () => {
    expect(objectDiff(config({ a: "1", b: "2" }), config({ b: "2", a: "1" }))).toEqual([]);
  });

  test("is a unified diff with three context lines", () => {
    const data = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${`${index}`.padStart(2, "0")}`, "x"]));
    expect(lines(config(data), config({ ...data, k00: "y", k19: "y" }))).toBe(
      [
        "@@ -3,7 +3,7 @@",
        " metadata:",
        "   name: a",
        " data:",
        "-  k00: x",
        "+  k00: 'y'",
        "   k01: x",
        "   k02: x",
        "   k03: x",
        "@@ -22,4 +22,4 @@",
        "   k16: x",
        "   k17: x",
        "   k18: x",
        "-  k19: x",
        "+  k19: 'y'",
        "",
      ].join("\n"),
    );
  });

  test("of a new object contains the whole object", () => {
    expect(lines(undefined, config({ big: 9_007_199_254_740_993n }))).toBe(
      "@@ -0,0 +1,6 @@\n+apiVersion: v1\n+kind: ConfigMap\n+metadata:\n+  name: a\n+data:\n+  big: 9007199254740993\n",
    );
  });

  test("of two large objects is fast", () => {
    const large = (mark: string): JsonObject =>
      config(
        Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, index % 50 === 0 ? mark : "x"]),
        ),
      );
    expect(objectDiff(large("1"), large("2")).filter(({ style }) => style === "good")).toHaveLength(100);
  });
});
