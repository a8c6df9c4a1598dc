import { DatabaseSync } from "node:sqlite";
import { stringifyJson } from "@levelset/core/internal";
import fc from "fast-check";
import { allConditions, storedConditions } from "../resource/index.ts";
import type { Resource, ResourceCondition } from "../resource/index.ts";
import { columnValue } from "./evaluate.ts";
import { orderSql, parseOrder } from "./order.ts";
import { parseSearch } from "./search-parser.ts";
import { searchSql } from "./search-sql.ts";
import { COLUMNS, isColumn } from "./search-tree.ts";
import type { SearchNode } from "./search-tree.ts";

const NAMES = Object.keys(COLUMNS).filter(isColumn);

/** Resources in an embedded database, in the table layout of searches. */
export class ResourceTable {
  readonly #database = new DatabaseSync(":memory:");

  constructor(resources: readonly Resource[]) {
    this.#database.exec(`
      CREATE TABLE resources (${NAMES.map((name) => `${name} ${COLUMNS[name].type === "text" ? "TEXT" : "INTEGER"}`).join(", ")}, spec TEXT);
      CREATE TABLE resource_labels (resource_id TEXT, key TEXT, value TEXT);
      CREATE TABLE resource_conditions (resource_id TEXT, type TEXT, status TEXT, observed_generation INTEGER,
        last_updated_time INTEGER, last_transition_time INTEGER);`);
    const row = this.#database.prepare(`INSERT INTO resources VALUES (${NAMES.map(() => "?").join(", ")}, ?)`);
    const label = this.#database.prepare("INSERT INTO resource_labels VALUES (?, ?, ?)");
    const condition = this.#database.prepare("INSERT INTO resource_conditions VALUES (?, ?, ?, ?, ?, ?)");
    for (const resource of resources) {
      const values = NAMES.map((name) => columnValue(name, resource) ?? null);
      row.run(
        ...values.map((value) => (typeof value === "boolean" ? String(value) : value)),
        stringifyJson(resource.spec),
      );
      for (const [key, value] of Object.entries(resource.labels)) label.run(resource.id, key, value);
      for (const { type, ...rest } of storedConditions(resource.conditions)) {
        const { status, observedGeneration, lastUpdatedTime, lastTransitionTime } = rest;
        condition.run(resource.id, type, status, observedGeneration, lastUpdatedTime, lastTransitionTime);
      }
    }
  }

  /** Returns the ids that a search finds, in the default order or another one. */
  find(node: SearchNode, order = ""): readonly unknown[] {
    const { text, parameters } = searchSql(node, { dialect: "sqlite" });
    const parsed = parseOrder(order);
    if (parsed.kind === "problem") throw new TypeError(parsed.message);
    const by = orderSql(parsed.order, "sqlite");
    const query = `SELECT r.id FROM resources r WHERE ${text} ORDER BY ${by}`;
    return this.#database
      .prepare(query)
      .all(...parameters)
      .map(({ id }) => id);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Parses a search that must be valid. */
export function parseValidSearch(text: string): SearchNode {
  const parsed = parseSearch(text);
  if (parsed.kind === "problem") throw new TypeError(`${parsed.message}: ${text}`);
  if (parsed.node === undefined) throw new TypeError("an empty search");
  return parsed.node;
}

const TEXTS = [
  "",
  "a",
  "A",
  "ab",
  "aXb",
  "a%b",
  "a_b",
  "a*b",
  "a?b",
  "a[b",
  "a]b",
  "é",
  "É",
  "😀",
  "\uffee",
  "1",
  "-1.5",
  "true",
  "'",
  '"',
  "\\",
];
const text = fc.constantFrom(...TEXTS);
const number = fc.constantFrom(-1.5, 0, 1, 2, 10, 1e6);
const time = fc.constantFrom(0, 1, 1_000, 1_700_000_000_000);

const specValue = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: number },
  fc.boolean(),
  fc.constant(null),
  fc.constant(["a"]),
  fc.constant({ c: "a" }),
  fc.constant(2n ** 60n),
);

/** Random resources, likely to have equal values. */
export const resourceLists: fc.Arbitrary<readonly Resource[]> = fc
  .array(
    fc.record({
      name: text,
      spec: fc.dictionary(
        fc.constantFrom("a", "b", "camelCase", "0"),
        fc.oneof(specValue, fc.record({ d: specValue })),
      ),
      labels: fc.dictionary(fc.constantFrom("k", "app.kubernetes.io/name"), text),
      generation: fc.constantFrom(1, 2, 10),
      time,
      deletion: fc.option(fc.record({ time, by: text }), { nil: undefined }),
      owner: fc.option(fc.constantFrom("p1", "p2"), { nil: undefined }),
      ready: fc.option(fc.constantFrom("True" as const, "False" as const), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts) =>
    drafts.map(({ name, spec, labels, generation, time, deletion, owner, ready }, index) => ({
      id: `id-${index}`,
      kind: "Cluster",
      name,
      href: `/clusters/id-${index}`,
      spec,
      labels,
      generation,
      createdTime: time,
      updatedTime: time + 1,
      createdBy: "user",
      updatedBy: name,
      ...(deletion === undefined ? {} : { deletion }),
      ...(owner === undefined ? {} : { owner: { id: owner, kind: "Cluster", href: "" } }),
      references: {},
      tenancy: {},
      conditions: ready === undefined ? [] : allConditions([conditionWith("Reconciled", ready, time)]),
    })),
  );

function conditionWith(type: string, status: "True" | "False", time: number): ResourceCondition {
  const times = { createdTime: time, lastUpdatedTime: time, lastTransitionTime: time + 5 };
  return { type, status, observedGeneration: 1, ...times };
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const literal = text.map(quoted);
const pattern = fc
  .array(fc.constantFrom("%", "_", "\\%", "\\\\", "*", "[", "a", "A", "b", "é", "😀"), { maxLength: 4 })
  .map((parts) => quoted(parts.join("")));
const comparison = fc.constantFrom("=", "!=", "<", "<=", ">", ">=");
const negation = fc.constantFrom("", "not ");
const timeText = fc.constantFrom("'1970-01-01T00:00:01Z'", "1970-01-01", "'1970-01-01T00:00:00.0005Z'", "'2030-01-01'");
const join = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((found) => found.join(" "));
const words = (...found: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...found);

function ofTexts(field: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    join(field, comparison, literal),
    fc
      .tuple(field, negation, fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([name, not, list]) => `${name} ${not}in [${list.join(", ")}]`),
    join(field, negation, words("between"), literal, words("and"), literal),
    join(field, negation, words("like", "ilike"), pattern),
    join(field, words("is null", "is not null", "= null", "!= null")),
  );
}

const spec = words("spec.a", "spec.b", "spec.b.d", "spec.camelCase", "spec.0", "spec.a.0", "spec.b.c");
/** Allowed anywhere. */
const free = fc.oneof(
  ofTexts(words("name", "updated_by", "owner_id", "deleted_by")),
  ofTexts(spec),
  join(spec, comparison, number.map(String)),
  join(spec, words("=", "!="), words("true", "false")),
  join(spec, words("in [1, 2, 10]", "not in (0, 1.0)", "between -2 and 1", "in [true]")),
  join(words("created_time", "deleted_time"), comparison, timeText),
  join(words("deleted_time"), words("is null", "is not null")),
  join(words("generation"), comparison, words("1", "2", "1.5", "1k", "1Ki")),
);
/** Not allowed under `not`. */
const bound = fc.oneof(
  ofTexts(words("labels.k", "labels.app.kubernetes.io/name")),
  join(
    words("status.conditions.Ready", "status.conditions.Reconciled"),
    words("="),
    words("'True'", "'False'", "'Unknown'"),
  ),
  join(
    words("status.conditions.Reconciled.last_updated_time", "status.conditions.Ready.last_transition_time"),
    comparison,
    timeText,
  ),
  join(words("status.conditions.Ready.observed_generation"), comparison, words("0", "1", "2")),
);

const { search: searchTexts } = fc.letrec<{ search: string; negatable: string }>((tie) => ({
  negatable: fc.oneof(
    { depthSize: "small" },
    free,
    join(words("("), tie("negatable"), words("and", "or"), tie("negatable"), words(")")),
    join(words("not ("), tie("negatable"), words(")")),
  ),
  search: fc.oneof(
    { depthSize: "small" },
    fc.oneof(free, bound),
    join(words("("), tie("search"), words("and", "OR", "or"), tie("search"), words(")")),
    join(words("not"), join(words("("), tie("negatable"), words(")"))),
  ),
}));

/** Random valid searches. */
export const searches: fc.Arbitrary<string> = searchTexts;

/** Random orders. */
export const orders: fc.Arbitrary<string> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `${name} asc`, `${name} desc`))))
  .map((terms) => terms.join(","));
