import { GoTime, kindOfValue, typeName } from "./template-value.ts";
import type { TemplateValue } from "./template-value.ts";

/**
 * Returns whether two values are equal. Throws where Go's text/template cannot compare: a float with an integer, a
 * list, a map.
 */
export function isEqual(a: TemplateValue, b: TemplateValue): boolean {
  if (a === null || b === null) return a === b;
  comparable(a, b);
  return a instanceof GoTime && b instanceof GoTime ? a.ms === b.ms : a === b;
}

/** Returns whether one value is less than another. Throws where there is no order. */
export function isLess(a: TemplateValue, b: TemplateValue): boolean {
  if (a === null || b === null || typeof a === "boolean" || typeof b === "boolean") throw invalid(a, b);
  comparable(a, b);
  if (typeof a === "string" && typeof b === "string") return byBytes(a, b) < 0;
  if (a instanceof GoTime || b instanceof GoTime) throw invalid(a, b);
  return a < b;
}

function comparable(a: TemplateValue, b: TemplateValue): void {
  const [kindA, kindB] = [kindOfValue(a), kindOfValue(b)];
  if (kindA === "list" || kindA === "map" || kindB === "list" || kindB === "map") throw invalid(a, b);
  if (kindA !== kindB) throw new TypeError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
}

function invalid(a: TemplateValue, b: TemplateValue): TypeError {
  return new TypeError(`invalid type for comparison: ${typeName(a)} and ${typeName(b)}`);
}

/** Go compares strings by bytes, which is the order of code points. */
function byBytes(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
