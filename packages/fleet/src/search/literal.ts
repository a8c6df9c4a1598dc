import { parseRfc3339 } from "@levelset/core/internal";
import { fieldName, fieldType } from "./search-field.ts";
import { SearchSyntaxError } from "./search-token.ts";
import type { SearchToken } from "./search-token.ts";
import type { SearchField, SearchLiteral } from "./search-tree.ts";

const SUFFIXES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

const INT32_MAX = 2 ** 31 - 1;
const CONDITION_STATUSES: readonly string[] = ["True", "False", "Unknown"];

/** Converts a token to a literal of its field's type. Throws a SearchSyntaxError. */
export function literalFor(field: SearchField, token: SearchToken): SearchLiteral {
  const name = fieldName(field);
  const expected = fieldType(field);
  switch (expected) {
    case "text":
      if (token.kind !== "text") throw new SearchSyntaxError(`field '${name}' expects a quoted string`, token.at);
      if (field.kind === "condition" && !CONDITION_STATUSES.includes(token.text)) {
        throw new SearchSyntaxError(
          `condition status '${token.text}' is invalid: must be True, False or Unknown`,
          token.at,
        );
      }
      return { kind: "text", text: token.text };
    case "number":
      return numberFor(field, token);
    case "time": {
      const ms = token.kind === "text" || token.kind === "date" ? timeOf(token.text) : undefined;
      if (ms === undefined) throw new SearchSyntaxError(`field '${name}' expects an RFC 3339 time or a date`, token.at);
      return { kind: "time", ms };
    }
    case "any":
      return anyLiteral(name, token);
    default:
      return expected satisfies never;
  }
}

function numberFor(field: SearchField, token: SearchToken): SearchLiteral {
  const name = fieldName(field);
  if (token.kind !== "number") throw new SearchSyntaxError(`field '${name}' expects an unquoted number`, token.at);
  const number = numberOf(token);
  if (field.kind === "condition" && (!Number.isInteger(number) || Math.abs(number) > INT32_MAX)) {
    throw new SearchSyntaxError(`field '${name}' expects a 32-bit integer`, token.at);
  }
  return { kind: "number", number };
}

function anyLiteral(name: string, token: SearchToken): SearchLiteral {
  if (token.kind === "text" || token.kind === "date") return { kind: "text", text: token.text };
  if (token.kind === "number") return { kind: "number", number: numberOf(token) };
  const word = token.text.toLowerCase();
  if (token.kind === "word" && (word === "true" || word === "false")) return { kind: "bool", bool: word === "true" };
  throw new SearchSyntaxError(`field '${name}' expects a quoted string, a number, true or false`, token.at);
}

function numberOf({ text, at }: SearchToken): number {
  const suffix = /[KMGTP]i$|[kKMGTP]$/.exec(text)?.[0] ?? "";
  const number = Number(text.slice(0, text.length - suffix.length)) * (SUFFIXES[suffix] ?? 1);
  if (!Number.isFinite(number)) throw new SearchSyntaxError(`the number ${text} is too large`, at);
  return number;
}

function timeOf(text: string): number | undefined {
  const parsed = parseRfc3339(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return parsed === undefined ? undefined : Number(parsed.seconds) * 1_000 + parsed.nanos / 1_000_000;
}
