import { textProblem, truncateText } from "@levelset/core";
import { parseFields, parseOrder, parsePaging, parseReferenceFilter, parseSearch } from "../search/index.ts";
import type { Order, Paging, SearchNode, Selection } from "../search/index.ts";
import type { FieldProblem, FleetKind, FleetKinds } from "../resource/index.ts";
import { invalid } from "../service/index.ts";
import type { ListPart, ListQuery } from "../store/index.ts";
import { readCursor } from "./cursor.ts";
import { Problem } from "./problem.ts";

/** How much of the name of a parameter an error shows. */
const FIELD_MAX = 100;

/** A reference that a list is narrowed to. */
export type ReferenceFilter = NonNullable<ListQuery["reference"]>;

/**
 * Reads the query of a URL. A percent sign that stands for no text is refused, and so is U+0000. `+` is a space, as in forms.
 * Throws a problem.
 */
export function parseQuery(text: string): URLSearchParams {
  const problems = text.split("&").flatMap((parameter) => {
    const [name = "", ...value] = parameter.split("=");
    const message = textProblemOf(name) ?? textProblemOf(value.join("="));
    return message === undefined ? [] : [{ field: truncateText(name, FIELD_MAX), message }];
  });
  const [first] = problems;
  if (first === undefined) return new URLSearchParams(text);
  throw new Problem("VAL-005", `${first.field}: ${first.message}`, { errors: problems });
}

/** Why a part of an address is no text that a store can hold; undefined if it is one. */
export function textProblemOf(part: string): string | undefined {
  try {
    return textProblem(decodeURIComponent(part));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return "must be percent-encoded UTF-8";
  }
}

/** The value of a parameter. One that is there twice is refused: nobody could tell which of them was meant. */
export function one(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid([{ field: name, message: `${name} is there ${values.length} times` }]);
  return values[0];
}

/** What to show of each resource, by `fields`. */
export function selectionOf(query: URLSearchParams): Selection | undefined {
  const parsed = parseFields(one(query, "fields") ?? "");
  if (parsed.kind === "problem") throw invalid([parsed.problem]);
  return parsed.selection;
}

/** A numbered page, by `page` and `size`. */
export function pagingOf(query: URLSearchParams): Paging {
  const parsed = parsePaging({ page: one(query, "page"), size: one(query, "size") });
  if (parsed.kind === "problems") throw invalid(parsed.problems);
  return parsed.paging;
}

/** What is searched for, by `search`. */
export function searchOf(query: URLSearchParams): SearchNode | undefined {
  const parsed = parseSearch(one(query, "search") ?? "");
  if (parsed.kind === "problem") throw unusable({ field: "search", message: parsed.message });
  return parsed.node;
}

/** In which order, by `order`. */
export function orderOf(query: URLSearchParams): Order {
  const parsed = parseOrder(one(query, "order") ?? "");
  if (parsed.kind === "problem") throw unusable({ field: "order", message: parsed.message });
  return parsed.order;
}

function unusable(problem: FieldProblem): Problem {
  return new Problem("VAL-005", problem.message, { errors: [problem] });
}

/** Which part of a list: a numbered page; or, if `after` is given, what follows it, from the beginning if it is empty. */
export function partOf(query: URLSearchParams, order: Order): ListPart {
  const { page, size } = pagingOf(query);
  const after = one(query, "after");
  if (after === undefined) return { kind: "page", page, size };
  if (one(query, "page") !== undefined) {
    throw invalid([{ field: "page", message: "page and after cannot be given together" }]);
  }
  if (after === "") return { kind: "after", position: undefined, size };
  const position = readCursor(order, after);
  if (position === undefined) {
    throw invalid([
      {
        field: "after",
        message: "after must be the next of an earlier answer with the same order",
        constraint: "format",
      },
    ]);
  }
  return { kind: "after", position, size };
}

/** Only what refers to a resource, by `ref_type` and `ref_target_id`. The type must be one that the kinds in question have. */
export function referenceOf(query: URLSearchParams, kinds: readonly FleetKind[]): ReferenceFilter | undefined {
  const parsed = parseReferenceFilter(one(query, "ref_type"), one(query, "ref_target_id"));
  if (parsed.kind === "problem") throw invalid([parsed.problem]);
  const { filter } = parsed;
  if (filter === undefined) return undefined;
  const isKnown = kinds.some(({ references }) => references.some(({ type }) => type === filter.type));
  if (isKnown) return filter;
  throw invalid([{ field: "ref_type", message: `unknown reference type '${filter.type}'`, value: filter.type }]);
}

/** Only one kind, by `kind`. */
export function kindFilterOf(query: URLSearchParams, kinds: FleetKinds): FleetKind | undefined {
  const name = one(query, "kind");
  if (name === undefined || name === "") return undefined;
  const kind = kinds.find(name);
  if (kind === undefined) throw invalid([{ field: "kind", message: `unknown kind '${name}'`, value: name }]);
  return kind;
}

/** Whether changes are asked for instead of a list, by `watch`. */
export function isWatch(query: URLSearchParams): boolean {
  const text = one(query, "watch") ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw invalid([{ field: "watch", message: "watch must be true or false", value: text, constraint: "format" }]);
}
