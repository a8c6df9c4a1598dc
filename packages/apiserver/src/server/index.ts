/** The API server and its TLS listener. Begin with `api-server.ts`. */

export { createApiServer } from "./api-server.ts";
export type { ApiServer, ApiServerOptions } from "./api-server.ts";
export { listen } from "./listen.ts";
export type { ListeningServer, ListenOptions } from "./listen.ts";
export type { ClientCertificate } from "./certificate.ts";
