import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";
import { builtinResource } from "./resource.ts";
import type { Resource } from "./resource.ts";

/** A kind whose objects are only ever sent: the server acts on them or answers them, and keeps none. */
function virtual(kind: Kind): Resource {
  const plain = builtinResource(kind, { unconditionalUpdate: true, hasGeneration: false, categories: [] });
  return { ...plain, hasStatus: false, subresources: [], verbs: ["create"] };
}

/** Bindings, as a resource. */
export const BINDINGS: Resource = virtual(core.Binding);

/** Questions to the server, and orders that are no objects. */
export const VIRTUALS: readonly Resource[] = [
  BINDINGS,
  virtual(core.SelfSubjectReview),
  virtual(core.TokenReview),
  virtual(core.LocalSubjectAccessReview),
  virtual(core.SelfSubjectAccessReview),
  virtual(core.SelfSubjectRulesReview),
  virtual(core.SubjectAccessReview),
];
