/** Definitions of the commands, one file each; other folders implement them. Begin with `commands.ts`. */

export { COMMANDS } from "./commands.ts";
export { EXAMPLES } from "./examples.ts";
