/** Lossless JSON, and operations on plain data: equality, canonical text, hashes, order. Begin with `parse.ts`. */

export { decodeBase64, encodeBase64 } from "./base64.ts";
export { canonicalJson } from "./canonical.ts";
export { cloneJson } from "./clone.ts";
export { JSON_DEPTH_MAX } from "./prescan.ts";
export { deepEqual } from "./equal.ts";
export { JsonError } from "./json-error.ts";
export { deepFreeze } from "./freeze.ts";
export { hashJson } from "./hash.ts";
export { sha256 } from "./sha256.ts";
export { LruCache } from "./lru-cache.ts";
export { ValidationCache } from "./validation-cache.ts";
export { mapJsonArray, mapJsonObject } from "./map.ts";
export { parseJson, stringifyJson } from "./parse.ts";
export type { ExactIntegers } from "./parse.ts";
export { duplicateFields } from "./duplicate-fields.ts";
export { isJsonObject, jsonForm } from "./value.ts";
export type { JsonObject, JsonValue } from "./value.ts";
export { compareCodeUnits } from "./compare-code-units.ts";
export { decodeUtf8, storableText, textProblem, truncateText } from "./text.ts";
