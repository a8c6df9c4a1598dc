export { placeProject } from "./directory.ts";
export { checkProjectNames, kindAfter } from "./names.ts";
export { projectFiles } from "./project.ts";
