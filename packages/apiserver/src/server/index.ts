export { createApiServer } from "./embedded.ts";
export type { ApiServer, ApiServerOptions } from "./embedded.ts";
export { listen } from "./listen.ts";
export type { Listening, ListenOptions } from "./listen.ts";
