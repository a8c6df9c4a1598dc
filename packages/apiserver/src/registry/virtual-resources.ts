import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";
import { builtinResource } from "./resource.ts";
import type { Resource } from "./resource.ts";

/** Returns the resource of a kind that supports only create and is never stored. */
function virtual(kind: Kind): Resource {
  const plain = builtinResource(kind, { allowUnconditionalUpdate: true, hasGeneration: false, categories: [] });
  return { ...plain, hasStatus: false, subresources: [], verbs: ["create"] };
}

/** The resource of Bindings. */
export const BINDING_RESOURCE: Resource = virtual(core.Binding);

/** Resources whose objects are not stored: reviews and bindings. */
export const VIRTUAL_RESOURCES: readonly Resource[] = [
  BINDING_RESOURCE,
  virtual(core.SelfSubjectReview),
  virtual(core.TokenReview),
  virtual(core.LocalSubjectAccessReview),
  virtual(core.SelfSubjectAccessReview),
  virtual(core.SelfSubjectRulesReview),
  virtual(core.SubjectAccessReview),
];
