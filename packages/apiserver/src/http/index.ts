export { createHandler } from "./handler.ts";
export type { HandlerOptions } from "./handler.ts";
