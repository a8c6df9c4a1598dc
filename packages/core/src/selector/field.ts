/**
 * Selection by field, as in `spec.nodeName=n1,status.phase!=Failed`. All terms must hold. A field that an object lacks
 * counts as empty, so `spec.nodeName=` finds the pods that no node runs. Which fields exist is the server's business.
 */
import { compareTexts } from "../json/index.ts";
import { SelectorError } from "./error.ts";

/** A condition on one field. `==` is read as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Which objects are selected: those that meet all `requirements`, which are sorted. None selects everything. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
}

/**
 * Reads the text form. Terms are joined by commas, and empty ones skipped. A value writes `\`, `,` and `=` as `\\`,
 * `\,` and `\=`; blanks are part of what they stand in. Throws a `SelectorError`.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = splitTerms(text)
    .filter((term) => term.text !== "")
    .map(parseTerm)
    .toSorted(compare);
  return { requirements };
}

/** Whether an object is selected; `get` gives the text of a field, or undefined where the object has none. */
export function matchFields(selector: FieldSelector, get: (field: string) => string | undefined): boolean {
  return selector.requirements.every(({ field, operator, value }) => {
    const equal = (get(field) ?? "") === value;
    return operator === "=" ? equal : !equal;
  });
}

/** The text that `parseFieldSelector` reads as this selector. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector.requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`)
    .join(",");
}

/** The fields that a selector looks at, each once, so that a server can refuse those it does not support. */
export function fieldsOf(selector: FieldSelector): readonly string[] {
  return [...new Set(selector.requirements.map((requirement) => requirement.field))];
}

interface Term {
  readonly text: string;
  readonly position: number;
}

/** Cuts at commas, except those behind a backslash. */
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
  if (position < text.length) terms.push({ text: text.slice(position), position }); // ends in a lone backslash
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
  return compareTexts(a.field, b.field) || compareTexts(a.operator, b.operator) || compareTexts(a.value, b.value);
}
