/** Starts the web console. Begin with `open-console.ts`. */

export { openConsole } from "./open-console.ts";
