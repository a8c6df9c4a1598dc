import { DeclarationError, InputError, kind, s } from "@levelset/core";

/** Names of a project and its kind. */
export interface ProjectNames {
  /** Name of the package, its directory and its main file. */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

/** Dependencies of every project. npm refuses to install a package into a project of the same name. */
export const RESERVED_PACKAGE_NAMES: readonly string[] = ["levelset", "typescript", "vitest"];

/** Built-in kinds that the code of every project imports. */
export const RESERVED_KINDS: readonly string[] = ["ConfigMap"];

/** Protected API groups: kube-apiserver refuses CRDs in them without an approval annotation (KEP-2337). */
const RESERVED_GROUP = /(?:^|\.)(?:k8s|kubernetes)\.io$/u;

/** Returns the default kind of a project: `Shop` for `shop-operator`. */
export function kindFromName(name: string): string {
  return name
    .replace(/(?<=.)-operator$/u, "")
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Throws an InputError for names that a project cannot have or that API servers refuse. */
export function checkProjectNames(names: ProjectNames): void {
  const { name, group } = names;
  if (RESERVED_PACKAGE_NAMES.includes(name)) {
    throw new InputError(`${name} is the name of a package that every project needs`, { hint: "choose another name" });
  }
  if (RESERVED_KINDS.includes(names.kind)) {
    throw new InputError(`--kind ${names.kind}: the code of the project uses the built-in kind of that name`, {
      hint: "pass another --kind",
    });
  }
  if (RESERVED_GROUP.test(group)) {
    throw new InputError(`--group ${group}: groups under k8s.io and kubernetes.io belong to Kubernetes`, {
      hint: "pass a domain that you own, e.g. --group shops.example.com",
    });
  }
  checkDeclaration(names);
}

function checkDeclaration({ kind: name, group }: ProjectNames): void {
  try {
    kind({ group, version: "v1alpha1", kind: name, spec: s.object({}) });
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    throw new InputError(error.message, { hint: "pass another --kind or --group", cause: error });
  }
}
