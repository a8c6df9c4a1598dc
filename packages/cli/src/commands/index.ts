/** The commands, one file each; what they do is elsewhere. Begin with `commands.ts`. */

export { COMMANDS } from "./commands.ts";
export { EXAMPLES } from "./examples.ts";
