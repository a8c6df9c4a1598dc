export * from "./store/index.ts";
export * from "./server/index.ts";
