/** Generates the manifests and the Dockerfile of an operator. Begin with `kustomize-base.ts`. */

export { baseFiles, kustomization } from "./kustomize-base.ts";
export type { BaseFile } from "./base-file.ts";
export type { BaseOptions } from "./base-options.ts";
export { dockerfile, dockerignore } from "./dockerfile.ts";
export { writeOutput } from "./write-output.ts";
export type { OutputFile } from "./write-output.ts";
export { findProject, NAME_MAX, projectName, imagePath } from "./find-project.ts";
export type { Project } from "./find-project.ts";
