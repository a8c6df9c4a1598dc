/** Generates the manifests and the Dockerfile of an operator. Begin with `kustomize-base.ts`. */

export type { BaseFile } from "./base-file.ts";
export { dockerfile, dockerignore } from "./dockerfile.ts";
export { findProject, imagePath, projectName } from "./find-project.ts";
export type { Project } from "./find-project.ts";
export { baseFiles, kustomization } from "./kustomize-base.ts";
export { writeOutput } from "./write-output.ts";
export type { OutputFile } from "./write-output.ts";
