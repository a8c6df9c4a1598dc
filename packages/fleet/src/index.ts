export * from "./broker/index.ts";
export * from "./resource/index.ts";
export * from "./search/index.ts";
