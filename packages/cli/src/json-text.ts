import { stringifyJson } from "@levelset/core";

/** A value as JSON for programs, with integers of any size kept. */
export function jsonText(value: unknown): string {
  return `${stringifyJson(value, 2)}\n`;
}
