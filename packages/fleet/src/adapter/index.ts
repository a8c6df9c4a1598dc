/** Adapters: configuration, execution and reporting. Begin with `serve/adapter-server.ts`. */

export * from "./dry-run/index.ts";
export * from "./expression/index.ts";
export * from "./run/index.ts";
export * from "./serve/index.ts";
export type { FailureKind } from "./situation/index.ts";
export * from "./step-adapter/index.ts";
export * from "./task/index.ts";
export * from "./template/index.ts";
export * from "./transport/index.ts";
export { parseYaml } from "./yaml.ts";
