import type { JsonValue } from "@levelset/core";
import type { Resource, Reviewer, ReviewContext } from "../resource/index.ts";
import type { ApiObject } from "../store/index.ts";
import { decodeObject } from "./decode.ts";
import type { Registry } from "./registry.ts";
import { versionedObjectFrom } from "./versioned-object.ts";
import type { VersionedObject } from "./versioned-object.ts";
import type { WriteOptions } from "./write-options.ts";

/** Evaluates a review, such as a SubjectAccessReview. Reviews are not stored. */
export function reviewObject(
  { authorizer, tokens }: Registry,
  { resource, review }: { readonly resource: Resource; readonly review: Reviewer },
  body: JsonValue,
  requester: Pick<ReviewContext, "namespace" | "user">,
  options: WriteOptions,
): VersionedObject {
  const { object } = decodeObject(resource, body, options.fieldValidation);
  // A review has a type and metadata like any object.
  return versionedObjectFrom(review(object, { authorizer, tokens, ...requester }) as ApiObject);
}
