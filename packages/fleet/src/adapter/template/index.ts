export { TemplateError } from "./error.ts";
export type { TemplateWorld } from "./functions.ts";
export { Template } from "./template.ts";
export { GoTime } from "./value.ts";
export type { TemplateMap, TemplateValue } from "./value.ts";
