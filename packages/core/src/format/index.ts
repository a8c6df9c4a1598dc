/** Whether a text is a name, a time, a duration or whatever else a schema calls by a format. Begin with `schema-format.ts`. */

export { dns1035LabelProblems } from "./dns-name.ts";
export { formatGoDuration, parseGoDuration } from "./go-duration.ts";
export { namedFormats } from "./named-format.ts";
export type { NamedFormat } from "./named-format.ts";
export { formatRfc3339, parseRfc3339 } from "./rfc3339.ts";
export type { Moment } from "./rfc3339.ts";
export { schemaFormats } from "./schema-format.ts";
