/** A new project from the template. Begin with `project.ts`. */

export { findCheckout, nodesOf, packCheckout } from "./checkout.ts";
export { checkEmpty, placeProject } from "./directory.ts";
export { checkProjectNames, kindAfter } from "./names.ts";
export { projectFiles } from "./project.ts";
export { isOldNode, vendored } from "./vendor.ts";
