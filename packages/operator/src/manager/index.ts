export { installKind, isServed } from "./install.ts";
export type { Installed } from "./install.ts";
export { operator } from "./operator.ts";
export type { Operator, OperatorOptions } from "./operator.ts";
