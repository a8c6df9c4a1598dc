import { LocalSubjectAccessReview } from "@levelset/core";
import { reviewAccess, subjectOf } from "./access-review.ts";
import { builtinResource } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";

/** Reviews of the access of any user in one namespace. */
export const localSubjectAccessReviewResource: Resource = builtinResource({
  kind: LocalSubjectAccessReview,
  virtualCreate: {
    kind: "review",
    review: (draft, context) => reviewAccess(LocalSubjectAccessReview, draft, context, subjectOf(draft)),
  },
});
