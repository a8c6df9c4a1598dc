/** Creates a project from the template. Begin with `project-files.ts`. */

export { findCheckout, nodePackages, packCheckout } from "./checkout.ts";
export { checkEmpty, writeProject } from "./directory.ts";
export { projectFiles } from "./project-files.ts";
export { checkProjectNames, kindFromName } from "./project-names.ts";
export { readTemplate } from "./template.ts";
export type { ProjectData, ProjectFile } from "./template.ts";
export { isOldNode, vendorProject } from "./vendor.ts";
