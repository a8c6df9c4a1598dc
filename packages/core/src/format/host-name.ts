import { byteLength } from "./pattern-problem.ts";

const SINGLE = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u;
const LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
const TOP_LEVEL = /^[a-zA-Z\p{L}]{2,63}$/u;

const HOST_MAX = 255;
const LABEL_MAX = 63;

/**
 * Reports whether the text is a host name of the schema format: letters and symbols of any script, a top-level domain
 * of letters only, and in a name without dots at most one dash, after the first character.
 */
export function isHostName(text: string): boolean {
  if (text.length > HOST_MAX || byteLength(text) > HOST_MAX) return false;
  const labels = text.split(".");
  if (labels.some((label) => byteLength(label) > LABEL_MAX)) return false;
  if (labels.length === 1) return SINGLE.test(text);
  return labels.slice(0, -1).every((label) => LABEL.test(label)) && TOP_LEVEL.test(labels.at(-1) ?? "");
}
