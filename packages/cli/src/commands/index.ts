export { COMMANDS } from "./commands.ts";
export { EXAMPLES } from "./examples.ts";
