export * from "./client/index.ts";
export * from "./cache/index.ts";
export * from "./queue/index.ts";
export * from "./step/index.ts";
export * from "./controller/index.ts";
export * from "./events/index.ts";
export * from "./leader/index.ts";
export * from "./manager/index.ts";
