import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matches } from "./evaluate.ts";
import { compareBy, parseOrder } from "./order.ts";
import { parseSearch, SEARCH_MAX } from "./parser.ts";
import { searchSql } from "./sql.ts";
import { orders, resourceLists, ResourceTable, searches, searchOf } from "./table.fixture.ts";

test("a search finds in the embedded database what it finds in memory, in the same order", () => {
  fc.assert(
    fc.property(resourceLists, fc.array(searches, { minLength: 8, maxLength: 8 }), orders, (resources, texts, by) => {
      using table = new ResourceTable(resources);
      const parsed = parseOrder(by);
      const order = parsed.kind === "order" ? parsed.order : [];
      for (const text of texts) {
        const node = searchOf(text);
        const found = resources.filter((resource) => matches(node, resource)).toSorted(compareBy(order));
        expect([text, by, table.find(node, by)]).toEqual([text, by, found.map(({ id }) => id)]);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("a search finds what it says", () => {
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
  const hit = (text: string): boolean => matches(searchOf(text), resource);
  expect(hit("name = 'prod-1' and labels.shard='1'")).toBe(true);
  expect(hit("spec.release.channel='dev' AND spec.release.version > 9")).toBe(true);
  expect(hit("spec.release.version > '9'")).toBe(false);
  expect(hit("spec.nodeCount between 2 and 3")).toBe(true);
  expect(hit("not (name like 'prod-%' or generation > 5)")).toBe(false);
  expect(hit("labels.absent != 'x'")).toBe(false);
  expect(hit("labels.absent is null and deleted_time is null") === (resource.deletion === undefined)).toBe(true);
});

describe("what is refused, and where", () => {
  test.each([
    ["bogus = 'x'", 1, "bogus is not a valid field name"],
    ["name = 'a' and nope = 'b'", 16, "nope is not a valid field name"],
    ["name", 5, "expected an operator after name, not the end"],
    ["name = ", 8, "field 'name' expects a text in quotes"],
    ["name = 5", 8, "field 'name' expects a text in quotes"],
    ["name = 'a' name = 'b'", 12, "expected and, or, or the end, not name"],
    ["(name = 'a'", 12, "expected ), not the end"],
    ["generation = '1'", 14, "field 'generation' expects a number without quotes"],
    ["created_time < 'yesterday'", 16, "field 'created_time' expects a time of RFC 3339 or a date"],
    ["created_time < '2026-13-01'", 16, "field 'created_time' expects a time of RFC 3339 or a date"],
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
      "field 'status.conditions.Ready.last_updated_time' expects a time of RFC 3339",
    ],
    [
      "status.conditions.Ready.observed_generation < 1.5",
      47,
      "field 'status.conditions.Ready.observed_generation' expects an integer of 32 bits",
    ],
    [
      "status.conditions.Ready.observed_generation < 3000000000",
      47,
      "field 'status.conditions.Ready.observed_generation' expects an integer of 32 bits",
    ],
    ["status.conditions.Ready.observed_generation between 1 and 2", 45, "only comparisons are supported"],
    ["name in []", 10, "field 'name' expects a text in quotes"],
    ["spec.a in [1, 'x']", 15, "a list has values of one type"],
    ["spec.a between 1 and 'x'", 22, "between needs two values of one order"],
    ["spec.a > true", 8, "true and false can only be compared with = and !="],
    ["generation like '1%'", 12, "generation is no text"],
    ["name like 'a\\'", 11, "the pattern ends with \\"],
    [`name like '${"x".repeat(256)}'`, 11, "a pattern has at most 255 characters"],
    ["name ~= 'a.*'", 6, "expected an operator after name, not ~="],
    ["len name = 3", 1, "len is not a valid field name"],
    ["generation + 1 = 2", 12, "expected an operator after generation, not +"],
    ["5 = generation", 1, "expected the name of a field, not 5"],
    ["spec = 'x'", 1, "spec is not a valid field name"],
    ["labels.-x = 'x'", 1, "label key '-x' is invalid"],
    ["name = 'a\0b'", 8, "the text is no valid Unicode text"],
    ["generation < 1e999", 14, "the number 1e999 is too large"],
    ["name = 'a' ; DROP TABLE x", 12, 'unexpected ";"'],
    ["'😀' = name", 1, "expected the name of a field"],
    [`name = '😀' and x = 1`, 16, "x is not a valid field name"],
  ])("%s", (text, position, message) => {
    const parsed = parseSearch(text);
    expect(parsed).toMatchObject({ kind: "problem", position });
    expect(parsed.kind === "problem" ? parsed.message : "").toContain(`position ${position}: ${message}`);
  });

  test("what is too long or too deep", () => {
    const long = `name = '${"x".repeat(SEARCH_MAX)}'`;
    expect(parseSearch(long)).toMatchObject({ kind: "problem", message: expect.stringContaining("at most 4096") });
    expect(parseSearch(`name = '${"x".repeat(SEARCH_MAX - 9)}'`).kind).toBe("search");
    expect(parseSearch("(".repeat(2_000))).toMatchObject({ kind: "problem", position: 101 });
    expect(parseSearch(`${"not ".repeat(1_000)}name = ''`)).toMatchObject({ kind: "problem" });
  });

  test("nothing at all asks for everything", () => {
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

  test.each(ATTEMPTS)("as a text it is only compared: %s", (attempt) => {
    const resources = fc.sample(resourceLists, 1)[0] ?? [];
    using table = new ResourceTable(resources);
    for (const field of ["name", "labels.k", "spec.a"]) {
      const node = searchOf(`${field} = '${attempt.replaceAll("'", "''")}'`);
      for (const dialect of ["sqlite", "postgres"] as const) {
        const { text, parameters } = searchSql(node, { dialect });
        expect(parameters).toContain(attempt);
        expect(text).not.toContain("DROP");
        expect(text).not.toContain("--");
      }
      expect(table.find(node)).toEqual([]);
    }
    expect(table.find(searchOf("id like '%'"))).toHaveLength(resources.length);
  });

  test.each(ATTEMPTS)("without quotes it is no search: id='%s", (attempt) => {
    const parsed = parseSearch(`id='${attempt}`);
    const isEquality = parsed.kind === "search" && parsed.node?.kind === "compare";
    expect(parsed.kind === "problem" || isEquality).toBe(true);
  });

  test("whatever is written, it is a search or a problem, and never SQL", () => {
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

test("a search for PostgreSQL has numbered parameters with types where they matter", () => {
  const node = searchOf("spec.a.b > 1 and generation >= 2 and name < 'm' and status.conditions.Ready='True'");
  expect(searchSql(node, { dialect: "postgres", parametersBefore: 2 })).toEqual({
    text:
      "(((CASE jsonb_typeof(r.spec -> $3::text -> $4::text) WHEN 'number' THEN (r.spec -> $3::text ->> $4::text)::numeric END) > $5::bigint)" +
      ' AND (r.generation >= $6::bigint) AND (r.name COLLATE "C" < $7)' +
      " AND (r.id IN (SELECT x.resource_id FROM resource_conditions x WHERE x.type = $8 AND (x.status = $9))))",
    parameters: ["a", "b", 1, 2, "m", "Reconciled", "True"],
  });
});
