export { addApiserverCommand } from "./apiserver.ts";
export { addCrdsCommand } from "./crds.ts";
export { addDevCommand } from "./dev.ts";
export { addRunCommand } from "./run.ts";
