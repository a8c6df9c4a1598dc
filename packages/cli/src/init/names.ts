import { DeclarationError, InputError, kind, s } from "@levelset/core";

/** How a project and what it declares are called. */
export interface ProjectNames {
  /** Of the package, its directory and its main file. */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

/** Packages that every project depends on: npm installs none of them into a project of the same name. */
export const TAKEN_NAMES: readonly string[] = ["levelset", "typescript", "vitest"];

/** Kinds of Kubernetes that the code of every project names. */
export const TAKEN_KINDS: readonly string[] = ["ConfigMap"];

/** Groups that Kubernetes keeps to itself: an API server refuses CRDs in them. */
const RESERVED_GROUP = /(?:^|\.)(?:k8s|kubernetes)\.io$/u;

/** The kind that a project is about, after its name: `Shop` for `shop-operator`. */
export function kindAfter(name: string): string {
  return name
    .replace(/(?<=.)-operator$/u, "")
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Refuses names that a project cannot have, or that no API server would take. */
export function checkProjectNames(names: ProjectNames): void {
  const { name, group } = names;
  if (TAKEN_NAMES.includes(name)) {
    throw new InputError(`${name} is the name of a package that every project needs`, { hint: "choose another name" });
  }
  if (TAKEN_KINDS.includes(names.kind)) {
    throw new InputError(`--kind ${names.kind}: the project's code uses the kind of Kubernetes with that name`, {
      hint: "choose another --kind",
    });
  }
  if (RESERVED_GROUP.test(group)) {
    throw new InputError(`--group ${group}: groups under k8s.io and kubernetes.io belong to Kubernetes`, {
      hint: "choose a domain of your own, such as example.com",
    });
  }
  checkDeclaration(names);
}

function checkDeclaration({ kind: name, group }: ProjectNames): void {
  try {
    kind({ group, version: "v1alpha1", kind: name, spec: s.object({}) });
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    throw new InputError(error.message, { hint: "--kind and --group say how the kind is called", cause: error });
  }
}
