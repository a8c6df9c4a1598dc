/** The commands, one file each; other folders implement them. Begin with `commands.ts`. */

export { addCommands } from "./add-commands.ts";
export { formatHelp, optionDescription } from "./command-tree.ts";
