/**
 * Field selectors such as `spec.nodeName=n1,status.phase!=Failed`. All terms must match. An absent field counts as
 * empty, so `spec.nodeName=` selects unscheduled pods. The server decides which fields are selectable.
 */
import { compareCodeUnits } from "../json/index.ts";
import { SelectorError } from "./selector-error.ts";

/** A condition on one field. `==` is parsed as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Selects the objects that meet all `requirements`, which are sorted. An empty list selects everything. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
}

/**
 * Parses a field selector. Terms are joined by commas; empty terms are skipped. `\`, `,` and `=` are escaped in values
 * as `\\`, `\,` and `\=`. Whitespace is significant. Throws a `SelectorError`.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = splitTerms(text)
    .filter((term) => term.text !== "")
    .map(parseTerm)
    .toSorted(compare);
  return { requirements };
}

/** Reports whether an object is selected. `get` returns the value of a field, or undefined if it is absent. */
export function matchesFieldSelector(selector: FieldSelector, get: (field: string) => string | undefined): boolean {
  return selector.requirements.every(({ field, operator, value }) => {
    const equal = (get(field) ?? "") === value;
    return operator === "=" ? equal : !equal;
  });
}

/** Formats a selector for `parseFieldSelector`. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`)
    .join(",");
}

/** Returns the fields of a selector without duplicates, so that a server can reject unsupported ones. */
export function selectorFields(selector: FieldSelector): readonly string[] {
  return [...new Set(selector.requirements.map((requirement) => requirement.field))];
}

interface Term {
  readonly text: string;
  readonly position: number;
}

/** Splits at commas that are not escaped. */
function splitTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  let position = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (text.charAt(at) === "\\") {
      at += 1;
    } else if (at === text.length || text.charAt(at) === ",") {
      terms.push({ text: text.slice(position, at), position });
      position = at + 1;
    }
  }
  if (position < text.length) terms.push({ text: text.slice(position), position }); // ends in a single backslash
  return terms;
}

function parseTerm(term: Term): FieldRequirement {
  const operator = /!=|==|=/.exec(term.text);
  if (operator === null) throw new SelectorError(`expected =, == or != in '${term.text}'`, term.position);
  const start = operator.index + operator[0].length;
  return {
    field: term.text.slice(0, operator.index),
    operator: operator[0] === "!=" ? "!=" : "=",
    value: unescape(term.text.slice(start), term.position + start),
  };
}

function unescape(escaped: string, position: number): string {
  let value = "";
  for (let at = 0; at < escaped.length; at += 1) {
    const char = escaped.charAt(at);
    if (char === "=") throw new SelectorError(String.raw`a value writes '=' as '\='`, position + at);
    if (char === "\\") {
      at += 1;
      if (at === escaped.length || !"\\,=".includes(escaped.charAt(at))) {
        throw new SelectorError(`invalid escape '\\${escaped.charAt(at)}'`, position + at - 1);
      }
    }
    value += escaped.charAt(at);
  }
  return value;
}

function compare(a: FieldRequirement, b: FieldRequirement): number {
  return (
    compareCodeUnits(a.field, b.field) || compareCodeUnits(a.operator, b.operator) || compareCodeUnits(a.value, b.value)
  );
}
