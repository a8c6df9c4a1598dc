/** A whole server, and its way onto a socket. Begin with `embedded.ts`. */

export { createApiServer } from "./embedded.ts";
export type { ApiServer, ApiServerOptions } from "./embedded.ts";
export { listen } from "./listen.ts";
export type { Listening, ListenLimits, ListenOptions } from "./listen.ts";
export type { ClientCertificate } from "./certificate.ts";
