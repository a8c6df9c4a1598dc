import type { FleetRow, ObjectRow } from "../api/index.ts";

/** Whether every word of a query is somewhere in a row. */
export type Matcher<Row> = (row: Row) => boolean;

/** Rows of objects by words: names, namespaces, kinds, states and what they say. */
export function objectMatcher(query: string): Matcher<ObjectRow> {
  return matcher(query, ({ kind, namespace = "", name, state, reason, message }) =>
    [kind, `${namespace}/${name}`, state, reason, message].join("\n"),
  );
}

/** Rows of a fleet by words. */
export function fleetMatcher(query: string): Matcher<FleetRow> {
  return matcher(query, ({ name, state, message, labels, id }) => [name, state, message, id, ...labels].join("\n"));
}

/** Whether a query is an expression of the fleet's search language, which the fleet itself must answer. */
export function isExpression(query: string): boolean {
  return /[=<>~!']|\b(?:like|in|and|or|not)\b/iu.test(query);
}

/** What is searched of each row. A row that changes is another one. */
const TEXTS = new WeakMap<object, string>();

function matcher<Row extends object>(query: string, textOf: (row: Row) => string): Matcher<Row> {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return () => true;
  return (row) => {
    const text = TEXTS.get(row) ?? textOf(row).toLowerCase();
    TEXTS.set(row, text);
    return words.every((word) => text.includes(word));
  };
}
