/** Templates inside of manifests: values that never become YAML. Begin with `template.ts`. */

export { TemplateError } from "./error.ts";
export type { TemplateWorld } from "./functions.ts";
export { Template } from "./template.ts";
export { GoTime } from "./value.ts";
export type { TemplateMap, TemplateValue } from "./value.ts";
