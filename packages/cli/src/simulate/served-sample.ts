import { apiVersionOf } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import type { Manifest } from "@levelset/simulation";

/** Groups of built-in kinds have no dot, or belong to Kubernetes. */
const BUILT_IN_GROUP = /^(?:[^.]*|.*\.k8s\.io)$/u;

/**
 * Reports whether a cluster with these custom kinds serves a sample. The samples of a project may be of several
 * operators.
 */
export function isServed({ apiVersion, kind }: Manifest, kinds: readonly AnyCustomKind[]): boolean {
  const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return BUILT_IN_GROUP.test(group) || kinds.some((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
}
