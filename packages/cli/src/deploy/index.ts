/** What a cluster gets to run an operator, as files. Begin with `base.ts`. */

export { baseFiles, kustomization } from "./base.ts";
export type { BaseFile } from "./base-file.ts";
export type { BaseOptions } from "./base-options.ts";
export { dockerfile, dockerignore } from "./dockerfile.ts";
export { writeOutput } from "./output.ts";
export type { OutputFile } from "./output.ts";
export { findProject, NAME_MAX, nameOf, pathBelow } from "./project.ts";
export type { Project } from "./project.ts";
