import { describe, expect, test } from "vitest";
import { DEFAULT_ORDER, orderSql, parseOrder } from "./order.ts";
import { parsePaging, parseReferenceFilter } from "./paging.ts";
import { parseFieldMask, applyFieldMask } from "./field-mask.ts";

describe("order", () => {
  test("the default is the newest first", () => {
    expect(parseOrder("")).toEqual({ kind: "order", order: DEFAULT_ORDER });
    expect(orderSql(DEFAULT_ORDER, "sqlite")).toBe("r.created_time DESC, r.id DESC");
  });

  test("always ends with a unique column", () => {
    const parsed = parseOrder("name desc, deleted_time");
    if (parsed.kind === "problem") throw new TypeError(parsed.message);
    expect(orderSql(parsed.order, "postgres")).toBe(
      'r.name COLLATE "C" DESC, r.deleted_time ASC NULLS LAST, r.id COLLATE "C" ASC',
    );
    expect(parseOrder("id desc,name")).toMatchObject({ order: [{ column: "id" }, { column: "name" }] });
  });

  test.each(["name; DROP TABLE x", "pg_sleep(10)", "name ascending", "name,,id", "name asc desc", "1"])(
    "%s is rejected",
    (text) => {
      expect(parseOrder(text)).toMatchObject({
        kind: "problem",
        message: expect.stringContaining("invalid order format"),
      });
    },
  );

  test("an unknown column is rejected by name", () => {
    expect(parseOrder("name, spec")).toEqual({ kind: "problem", message: "order: spec is not a valid field name" });
    expect(parseOrder("name,name desc")).toEqual({ kind: "problem", message: "order: duplicate name" });
  });
});

describe("paging", () => {
  test("has defaults and limits", () => {
    expect(parsePaging({})).toEqual({ kind: "paging", paging: { page: 1, size: 20 } });
    expect(parsePaging({ page: "100000", size: "100" })).toMatchObject({ paging: { page: 100_000, size: 100 } });
  });

  test.each([
    ["size", "0", "min", "size must be at least 1"],
    ["size", "101", "max", "size must be at most 100"],
    ["size", "abc", "format", "must be a valid integer"],
    ["size", "1.5", "format", "must be a valid integer"],
    ["page", "0", "min", "page must be at least 1"],
    ["page", "-1", "min", "page must be at least 1"],
    ["page", "100001", "max", "page must be at most 100000"],
    ["page", "1e3", "format", "must be a valid integer"],
  ])("%s=%s", (field, value, constraint, message) => {
    const problems = [{ field, value, constraint, message }];
    expect(parsePaging({ [field]: value })).toEqual({ kind: "problems", problems });
  });

  test("a filter by reference needs both parameters", () => {
    expect(parseReferenceFilter("channel", "c1")).toMatchObject({ filter: { type: "channel", targetId: "c1" } });
    expect(parseReferenceFilter(undefined, "")).toEqual({ kind: "filter", filter: undefined });
    expect(parseReferenceFilter("channel", undefined)).toMatchObject({
      kind: "problem",
      problem: { field: "ref_target_id" },
    });
    expect(parseReferenceFilter(undefined, "c1")).toMatchObject({ kind: "problem", problem: { field: "ref_type" } });
  });
});

describe("fields", () => {
  const data = {
    id: "1",
    name: "n",
    spec: { a: { b: 1, c: 2 } },
    status: {
      conditions: [
        { type: "Ready", status: "True" },
        { type: "Available", status: "False" },
      ],
    },
  };
  const shown = (fields: string): unknown => {
    const parsed = parseFieldMask(fields);
    return parsed.kind === "problem" ? parsed.problem.message : applyFieldMask(data, parsed.selection);
  };

  test("show the named fields, and always the id", () => {
    expect(shown("")).toEqual(data);
    expect(shown("name")).toEqual({ id: "1", name: "n" });
    expect(shown("id, name")).toEqual({ id: "1", name: "n" });
    expect(shown("spec.a.b,status.conditions.type")).toEqual({
      id: "1",
      spec: { a: { b: 1 } },
      status: { conditions: [{ type: "Ready" }, { type: "Available" }] },
    });
    expect(shown("spec.a.b,spec,spec.x")).toEqual({ id: "1", spec: data.spec });
    expect(shown("spec.__proto__")).toEqual({ id: "1", spec: {} });
  });

  test.each(["bogus", "name.x", "status.conditions.bogus", "status.x", "__proto__", "constructor", "spec..a"])(
    "%s does not exist",
    (field) => {
      expect(shown(`id,${field}`)).toBe(`The following field(s) doesn't exist in \`Resource\`: ${field}`);
    },
  );
});
