/** Runs the embedded API server with its data file. Begin with `embedded-server.ts`. */

export { dataPath } from "./data-file.ts";
export { startEmbeddedServer } from "./embedded-server.ts";
export type { EmbeddedServer } from "./embedded-server.ts";
