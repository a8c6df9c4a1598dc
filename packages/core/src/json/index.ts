/** Lossless JSON, and what is asked of plain data: equality, canonical text, hashes, order. Begin with `parse.ts`. */

export { canonicalJson } from "./canonical.ts";
export { cloneJson } from "./clone.ts";
export { JSON_DEPTH_MAX } from "./survey.ts";
export { deepEqual } from "./equal.ts";
export { JsonError } from "./error.ts";
export { deepFreeze } from "./freeze.ts";
export { hashOf } from "./hash.ts";
export { sha256 } from "./sha256.ts";
export { Passed } from "./passed.ts";
export { mapItems, mapMembers } from "./map.ts";
export { parseJson, stringifyJson } from "./parse.ts";
export type { ExactIntegers } from "./parse.ts";
export { repeatedFields } from "./repeated.ts";
export { isJsonObject } from "./value.ts";
export type { JsonObject, JsonValue } from "./value.ts";
export { compareTexts } from "./text-order.ts";
export { decodeUtf8, storableText, textProblem, truncateText } from "./text.ts";
