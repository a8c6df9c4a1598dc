/** Formats of strings: names, times, durations and the other formats of schemas. Begin with `schema-format.ts`. */

export { dns1035LabelProblems } from "./dns-name.ts";
export { formatGoDuration, parseGoDuration, parseGoDurationMs } from "./go-duration.ts";
export { namedFormats } from "./named-format.ts";
export type { NamedFormat } from "./named-format.ts";
export { formatRfc3339, parseRfc3339 } from "./rfc3339.ts";
export type { UnixTime } from "./rfc3339.ts";
export { schemaFormats } from "./schema-format.ts";
