/**
 * HTTP listeners for Node, separate from the platform-independent rest of the package. Begin with `http-listener.ts`.
 */

export { listenHttp } from "./http-listener.ts";
export type { HttpListener, ListenAddress, HttpHandler } from "./http-listener.ts";
