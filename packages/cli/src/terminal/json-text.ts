import { stringifyJson } from "@levelset/core/internal";

/** Formats a value as JSON; preserves large integers. */
export function jsonText(value: unknown): string {
  return `${stringifyJson(value, 2)}\n`;
}
