/** Ports that answer HTTP, for Node alone, and so apart from the rest of the package. Begin with `port.ts`. */

export { openPort } from "./port.ts";
export type { OpenPort, PortAddress, PortHandler } from "./port.ts";
