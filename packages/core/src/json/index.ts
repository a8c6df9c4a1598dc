export { canonicalJson } from "./canonical.ts";
export { cloneJson } from "./clone.ts";
export { JSON_DEPTH_MAX } from "./depth.ts";
export { deepEqual } from "./equal.ts";
export { JsonError } from "./error.ts";
export { deepFreeze } from "./freeze.ts";
export { parseJson, stringifyJson } from "./parse.ts";
export { isJsonObject } from "./value.ts";
export type { JsonObject, JsonValue } from "./value.ts";
