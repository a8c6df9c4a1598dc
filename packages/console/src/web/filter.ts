import { SEARCH_WORDS } from "@levelset/fleet/client";
import type { FleetRow, ObjectRow } from "../api/index.ts";

/** Reports whether a row contains every word of a query. */
export type Matcher<Row> = (row: Row) => boolean;

/** Matches object rows by words in kind, namespace, name, state, reason and message. */
export function objectMatcher(query: string): Matcher<ObjectRow> {
  return matcher(query, ({ kind, namespace = "", name, state, reason, message }) =>
    [kind, `${namespace}/${name}`, state, reason, message].join("\n"),
  );
}

/** Matches fleet rows by words in name, state, message, ID and labels. */
export function fleetMatcher(query: string): Matcher<FleetRow> {
  return matcher(query, ({ name, state, message, labels, id }) => [name, state, message, id, ...labels].join("\n"));
}

const EXPRESSION = new RegExp(String.raw`[=<>~!']|\b(?:${SEARCH_WORDS.join("|")})\b`, "iu");

/** Reports whether a query is a fleet search expression, which is sent to the fleet. */
export function isExpression(query: string): boolean {
  return EXPRESSION.test(query);
}

/** Cached search text of each row; changed rows are new objects. */
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
