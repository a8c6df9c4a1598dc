export { addApiserverCommand } from "./apiserver.ts";
export { addDevCommand } from "./dev.ts";
export { addRunCommand } from "./run.ts";
