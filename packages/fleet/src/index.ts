export * from "./api/index.ts";
export * from "./broker/index.ts";
export * from "./config/index.ts";
export * from "./resource/index.ts";
export * from "./search/index.ts";
export * from "./sentinel/index.ts";
export * from "./service/index.ts";
export * from "./store/index.ts";
