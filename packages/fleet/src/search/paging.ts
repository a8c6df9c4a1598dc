import type { FieldProblem } from "../resource/index.ts";

/** A page of a list, from 1. */
export interface Paging {
  readonly page: number;
  readonly size: number;
}

/** A parsed page, or the problems. */
export type ParsedPaging =
  | { readonly kind: "paging"; readonly paging: Paging }
  | { readonly kind: "problems"; readonly problems: readonly FieldProblem[] };

const LIMITS = {
  page: { min: 1, max: 100_000, otherwise: 1 },
  size: { min: 1, max: 100, otherwise: 20 },
} as const;

/** Parses `page` and `size`, with defaults. */
export function parsePaging(params: {
  readonly page?: string | undefined;
  readonly size?: string | undefined;
}): ParsedPaging {
  const problems: FieldProblem[] = [];
  const page = numberOf("page", params.page, problems);
  const size = numberOf("size", params.size, problems);
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "paging", paging: { page, size } };
}

function numberOf(field: "page" | "size", text: string | undefined, problems: FieldProblem[]): number {
  const { min, max, otherwise } = LIMITS[field];
  if (text === undefined || text === "") return otherwise;
  const value = text;
  if (!/^[+-]?\d+$/.test(text)) {
    problems.push({ field, value, constraint: "format", message: "must be a valid integer" });
    return otherwise;
  }
  const number = Number(text);
  if (number < min) problems.push({ field, value, constraint: "min", message: `${field} must be at least ${min}` });
  if (number > max) problems.push({ field, value, constraint: "max", message: `${field} must be at most ${max}` });
  return number;
}

/**
 * A parsed filter by reference; a problem if only one parameter is set. Whether the type exists is not checked here.
 */
export type ParsedReferenceFilter =
  | { readonly kind: "filter"; readonly filter: { readonly type: string; readonly targetId: string } | undefined }
  | { readonly kind: "problem"; readonly problem: FieldProblem };

/** Parses `ref_type` and `ref_target_id`, which must be used together. */
export function parseReferenceFilter(type: string | undefined, targetId: string | undefined): ParsedReferenceFilter {
  const hasType = type !== undefined && type !== "";
  const hasTarget = targetId !== undefined && targetId !== "";
  if (hasType && hasTarget) return { kind: "filter", filter: { type, targetId } };
  if (!hasType && !hasTarget) return { kind: "filter", filter: undefined };
  const field = hasType ? "ref_target_id" : "ref_type";
  const message = "ref_type and ref_target_id must be provided together";
  return { kind: "problem", problem: { field, message, constraint: "required" } };
}
