import { stringifyJson } from "@levelset/core/internal";
import { isEquality } from "./indexed.ts";
import type { SearchLiteral, SearchPredicate } from "./search-tree.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Returns JSON objects of which a matching spec contains one (jsonb `@>`), if a predicate tests a path for certain
 * values; undefined for other predicates. A string also matches a number or bool with that text.
 */
export function containments(node: SearchPredicate, path: readonly string[]): readonly string[] | undefined {
  if (!isEquality(node)) return undefined;
  const literals = node.kind === "compare" ? [node.value] : node.kind === "in" ? node.values : [];
  return literals.flatMap(valuesOf).map((value) => {
    return path.reduceRight((inner, key) => `{${stringifyJson(key)}:${inner}}`, value);
  });
}

function valuesOf(literal: SearchLiteral): readonly string[] {
  switch (literal.kind) {
    case "text": {
      const { text } = literal;
      const isPlain = NUMBER.test(text) || text === "true" || text === "false";
      return [stringifyJson(text), ...(isPlain ? [text] : [])];
    }
    case "number":
      return [String(literal.number)];
    case "time":
      return [String(literal.ms)];
    case "bool":
      return [String(literal.bool)];
    default:
      return literal satisfies never;
  }
}
