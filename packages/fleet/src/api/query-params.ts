import { textProblem, truncateText } from "@levelset/core/internal";
import { parseFieldMask, parseOrder, parsePaging, parseReferenceFilter, parseSearch } from "../search/index.ts";
import type { Order, Paging, SearchNode, FieldMask } from "../search/index.ts";
import type { FieldProblem, FleetKind, FleetKinds } from "../resource/index.ts";
import { invalidFields } from "../service/index.ts";
import type { PageRequest, ListQuery } from "../store/index.ts";
import { decodeCursor } from "./cursor.ts";
import { HttpProblem } from "./http-problem.ts";

/** The maximum length of a parameter name in an error. */
const FIELD_MAX = 100;

/** Restricts a list to resources with this reference. */
export type ReferenceFilter = NonNullable<ListQuery["reference"]>;

/**
 * Parses the query of a URL. Throws an `HttpProblem` for invalid percent encoding and for U+0000. `+` is a space, as in
 * forms.
 */
export function parseQuery(text: string): URLSearchParams {
  const problems = text.split("&").flatMap((parameter) => {
    const [name = "", ...value] = parameter.split("=");
    const message = textProblemOf(name) ?? textProblemOf(value.join("="));
    return message === undefined ? [] : [{ field: truncateText(name, FIELD_MAX), message }];
  });
  const [first] = problems;
  if (first === undefined) return new URLSearchParams(text);
  throw new HttpProblem("VAL-005", `${first.field}: ${first.message}`, { errors: problems });
}

/** Returns why a URL part cannot be stored as text; undefined if it can. */
export function textProblemOf(part: string): string | undefined {
  try {
    return textProblem(decodeURIComponent(part));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return "must be percent-encoded UTF-8";
  }
}

/** Returns the value of a parameter. Throws an `HttpProblem` if it is repeated. */
export function singleParam(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidFields([{ field: name, message: `${name} is given ${values.length} times` }]);
  return values[0];
}

/** Parses `fields`, the selected fields. */
export function fieldMaskOf(query: URLSearchParams): FieldMask | undefined {
  const parsed = parseFieldMask(singleParam(query, "fields") ?? "");
  if (parsed.kind === "problem") throw invalidFields([parsed.problem]);
  return parsed.selection;
}

/** Parses `page` and `size`. */
export function pagingOf(query: URLSearchParams): Paging {
  const parsed = parsePaging({ page: singleParam(query, "page"), size: singleParam(query, "size") });
  if (parsed.kind === "problems") throw invalidFields(parsed.problems);
  return parsed.paging;
}

/** Parses `search`. */
export function searchOf(query: URLSearchParams): SearchNode | undefined {
  const parsed = parseSearch(singleParam(query, "search") ?? "");
  if (parsed.kind === "problem") throw unusable({ field: "search", message: parsed.message });
  return parsed.node;
}

/** Parses `order`. */
export function orderOf(query: URLSearchParams): Order {
  const parsed = parseOrder(singleParam(query, "order") ?? "");
  if (parsed.kind === "problem") throw unusable({ field: "order", message: parsed.message });
  return parsed.order;
}

function unusable(problem: FieldProblem): HttpProblem {
  return new HttpProblem("VAL-005", problem.message, { errors: [problem] });
}

/**
 * Parses the page request: a numbered page, or, if `after` is given, the resources after that cursor; an empty cursor
 * starts at the beginning.
 */
export function pageRequestOf(query: URLSearchParams, order: Order): PageRequest {
  const { page, size } = pagingOf(query);
  const after = singleParam(query, "after");
  if (after === undefined) return { kind: "page", page, size };
  if (singleParam(query, "page") !== undefined) {
    throw invalidFields([{ field: "page", message: "page and after cannot be combined" }]);
  }
  if (after === "") return { kind: "after", position: undefined, size };
  const position = decodeCursor(order, after);
  if (position === undefined) {
    throw invalidFields([
      {
        field: "after",
        message: "after must be the next value of an earlier response with the same order",
        constraint: "format",
      },
    ]);
  }
  return { kind: "after", position, size };
}

/** Parses `ref_type` and `ref_target_id`. The type must exist in one of the given kinds. */
export function referenceOf(query: URLSearchParams, kinds: readonly FleetKind[]): ReferenceFilter | undefined {
  const parsed = parseReferenceFilter(singleParam(query, "ref_type"), singleParam(query, "ref_target_id"));
  if (parsed.kind === "problem") throw invalidFields([parsed.problem]);
  const { filter } = parsed;
  if (filter === undefined) return undefined;
  const isKnown = kinds.some(({ references }) => references.some(({ type }) => type === filter.type));
  if (isKnown) return filter;
  throw invalidFields([{ field: "ref_type", message: `unknown reference type '${filter.type}'`, value: filter.type }]);
}

/** Parses `kind`. */
export function kindFilterOf(query: URLSearchParams, kinds: FleetKinds): FleetKind | undefined {
  const name = singleParam(query, "kind");
  if (name === undefined || name === "") return undefined;
  const kind = kinds.find(name);
  if (kind === undefined) throw invalidFields([{ field: "kind", message: `unknown kind '${name}'`, value: name }]);
  return kind;
}

/** Parses `watch`: whether to stream changes instead of a list. */
export function isWatch(query: URLSearchParams): boolean {
  const text = singleParam(query, "watch") ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw invalidFields([{ field: "watch", message: "watch must be true or false", value: text, constraint: "format" }]);
}
