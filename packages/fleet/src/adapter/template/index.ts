/** Templates in manifests, whose values cannot inject YAML. Begin with `template.ts`. */

export { TemplateError } from "./template-error.ts";
export type { TemplateWorld } from "./template-functions.ts";
export { Template } from "./template.ts";
export { GoTime } from "./template-value.ts";
export type { TemplateMap, TemplateValue } from "./template-value.ts";
