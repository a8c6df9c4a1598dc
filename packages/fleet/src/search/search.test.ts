import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesSearch } from "./evaluate.ts";
import { compareBy, parseOrder } from "./order.ts";
import { parseSearch, SEARCH_MAX } from "./search-parser.ts";
import { searchSql } from "./search-sql.ts";
import { orders, resourceLists, ResourceTable, searches, parseValidSearch } from "./table.fixture.ts";

test("a search finds the same in the embedded database as in memory, in the same order", () => {
  fc.assert(
    fc.property(resourceLists, fc.array(searches, { minLength: 8, maxLength: 8 }), orders, (resources, texts, by) => {
      using table = new ResourceTable(resources);
      const parsed = parseOrder(by);
      const order = parsed.kind === "order" ? parsed.order : [];
      for (const text of texts) {
        const node = parseValidSearch(text);
        const found = resources.filter((resource) => matchesSearch(node, resource)).toSorted(compareBy(order));
        expect([text, by, table.find(node, by)]).toEqual([text, by, found.map(({ id }) => id)]);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("a search finds the matching resources", () => {
  const [sample] = fc.sample(resourceLists, 1);
  const [first] = sample ?? [];
  if (first === undefined) throw new TypeError("there is no resource");
  const resource = {
    ...first,
    name: "prod-1",
    generation: 3,
    labels: { shard: "1" },
    spec: { release: { channel: "dev", version: 10 }, nodeCount: 3 },
  };
  const hit = (text: string): boolean => matchesSearch(parseValidSearch(text), resource);
  expect(hit("name = 'prod-1' and labels.shard='1'")).toBe(true);
  expect(hit("spec.release.channel='dev' AND spec.release.version > 9")).toBe(true);
  expect(hit("spec.release.version > '9'")).toBe(false);
  expect(hit("spec.nodeCount between 2 and 3")).toBe(true);
  expect(hit("not (name like 'prod-%' or generation > 5)")).toBe(false);
  expect(hit("labels.absent != 'x'")).toBe(false);
  expect(hit("labels.absent is null and deleted_time is null") === (resource.deletion === undefined)).toBe(true);
});

describe("rejected searches, with positions", () => {
  test.each([
    ["bogus = 'x'", 1, "bogus is not a valid field name"],
    ["name = 'a' and nope = 'b'", 16, "nope is not a valid field name"],
    ["name", 5, "expected an operator after name, not the end"],
    ["name = ", 8, "field 'name' expects a quoted string"],
    ["name = 5", 8, "field 'name' expects a quoted string"],
    ["name = 'a' name = 'b'", 12, "expected and, or, or the end, not name"],
    ["(name = 'a'", 12, "expected ), not the end"],
    ["generation = '1'", 14, "field 'generation' expects an unquoted number"],
    ["created_time < 'yesterday'", 16, "field 'created_time' expects an RFC 3339 time or a date"],
    ["created_time < '2026-13-01'", 16, "field 'created_time' expects an RFC 3339 time or a date"],
    ["status.conditions.reconciled='True'", 1, "condition type 'reconciled' is invalid: must be PascalCase"],
    ["status.conditions.Reconciled='Invalid'", 30, "condition status 'Invalid' is invalid"],
    ["status.conditions.Reconciled != 'True'", 30, "only the operator = is supported"],
    ["status.conditions.Reconciled in ['True']", 30, "only the operator = is supported"],
    ["not status.conditions.Reconciled = 'True'", 5, "not cannot be used with status.conditions.Reconciled"],
    ["not (name = 'a' or labels.x = '1')", 20, "not cannot be used with labels.x"],
    ["status.conditions.Ready.created_time < '2026-01-01'", 1, "condition subfield 'created_time' is not supported"],
    [
      "status.conditions.Ready.last_updated_time < 'x'",
      45,
      "field 'status.conditions.Ready.last_updated_time' expects an RFC 3339 time",
    ],
    [
      "status.conditions.Ready.observed_generation < 1.5",
      47,
      "field 'status.conditions.Ready.observed_generation' expects a 32-bit integer",
    ],
    [
      "status.conditions.Ready.observed_generation < 3000000000",
      47,
      "field 'status.conditions.Ready.observed_generation' expects a 32-bit integer",
    ],
    ["status.conditions.Ready.observed_generation between 1 and 2", 45, "only comparisons are supported"],
    ["name in []", 10, "field 'name' expects a quoted string"],
    ["spec.a in [1, 'x']", 15, "list values must have the same type"],
    ["spec.a between 1 and 'x'", 22, "between needs two ordered values of the same type"],
    ["spec.a > true", 8, "true and false can only be compared with = and !="],
    ["generation like '1%'", 12, "generation is not a string"],
    ["name like 'a\\'", 11, "the pattern ends with \\"],
    [`name like '${"x".repeat(256)}'`, 11, "a pattern has at most 255 characters"],
    ["name ~= 'a.*'", 6, "expected an operator after name, not ~="],
    ["len name = 3", 1, "len is not a valid field name"],
    ["generation + 1 = 2", 12, "expected an operator after generation, not +"],
    ["5 = generation", 1, "expected a field name, not 5"],
    ["spec = 'x'", 1, "spec is not a valid field name"],
    ["labels.-x = 'x'", 1, "label key '-x' is invalid"],
    ["name = 'a\0b'", 8, "the string is not valid Unicode"],
    ["generation < 1e999", 14, "the number 1e999 is too large"],
    ["name = 'a' ; DROP TABLE x", 12, 'unexpected ";"'],
    ["'😀' = name", 1, "expected a field name"],
    [`name = '😀' and x = 1`, 16, "x is not a valid field name"],
  ])("%s", (text, position, message) => {
    const parsed = parseSearch(text);
    expect(parsed).toMatchObject({ kind: "problem", position });
    expect(parsed.kind === "problem" ? parsed.message : "").toContain(`position ${position}: ${message}`);
  });

  test("a search that is too long or too deep", () => {
    const long = `name = '${"x".repeat(SEARCH_MAX)}'`;
    expect(parseSearch(long)).toMatchObject({ kind: "problem", message: expect.stringContaining("at most 4096") });
    expect(parseSearch(`name = '${"x".repeat(SEARCH_MAX - 9)}'`).kind).toBe("search");
    expect(parseSearch("(".repeat(2_000))).toMatchObject({ kind: "problem", position: 101 });
    expect(parseSearch(`${"not ".repeat(1_000)}name = ''`)).toMatchObject({ kind: "problem" });
  });

  test("an empty search matches everything", () => {
    expect(parseSearch("  ")).toEqual({ kind: "search", node: undefined });
  });
});

describe("injection", () => {
  const ATTEMPTS = [
    "'; DROP TABLE resources; --",
    "' OR '1'='1",
    "x') OR 1=1 --",
    "\\'; SELECT pg_sleep(10); --",
    "%' UNION SELECT id FROM resources --",
    "$1 ?1 :a @b",
    "a' COLLATE NOCASE --",
  ];

  test.each(ATTEMPTS)("as a string it is only compared: %s", (attempt) => {
    const resources = fc.sample(resourceLists, 1)[0] ?? [];
    using table = new ResourceTable(resources);
    for (const field of ["name", "labels.k", "spec.a"]) {
      const node = parseValidSearch(`${field} = '${attempt.replaceAll("'", "''")}'`);
      for (const dialect of ["sqlite", "postgres"] as const) {
        const { text, parameters } = searchSql(node, { dialect });
        expect(parameters).toContain(attempt);
        expect(text).not.toContain("DROP");
        expect(text).not.toContain("--");
      }
      expect(table.find(node)).toEqual([]);
    }
    expect(table.find(parseValidSearch("id like '%'"))).toHaveLength(resources.length);
  });

  test.each(ATTEMPTS)("without quotes it is not a search: id='%s", (attempt) => {
    const parsed = parseSearch(`id='${attempt}`);
    const isEquality = parsed.kind === "search" && parsed.node?.kind === "compare";
    expect(parsed.kind === "problem" || isEquality).toBe(true);
  });

  test("any text is a search or a problem, and never SQL", () => {
    const pieces = fc.constantFrom(
      "name",
      "=",
      "'",
      '"',
      "`",
      "a",
      "(",
      ")",
      "not ",
      " and ",
      "--",
      ";",
      "1",
      "\\",
      "labels.",
      "in",
      "[",
      ",",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const parsed = parseSearch(parts.join(""));
        if (parsed.kind === "problem" || parsed.node === undefined) return;
        const { text } = searchSql(parsed.node, { dialect: "sqlite" });
        expect(text).toMatch(/^[\w\s.()?,<>=]*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a search for PostgreSQL has numbered parameters, typed where needed", () => {
  const node = parseValidSearch("spec.a.b > 1 and generation >= 2 and name < 'm' and status.conditions.Ready='True'");
  expect(searchSql(node, { dialect: "postgres", parametersBefore: 2 })).toEqual({
    text:
      "(((CASE jsonb_typeof(r.spec -> $3::text -> $4::text) WHEN 'number' THEN (r.spec -> $3::text ->> $4::text)::numeric END) > $5::bigint)" +
      ' AND (r.generation >= $6::bigint) AND (r.name COLLATE "C" < $7)' +
      " AND (r.id IN (SELECT x.resource_id FROM resource_conditions x WHERE x.type = $8 AND (x.status = $9))))",
    parameters: ["a", "b", 1, 2, "m", "Reconciled", "True"],
  });
});
