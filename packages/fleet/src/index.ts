export * from "./resource/index.ts";
export * from "./search/index.ts";
