import { SubjectAccessReview } from "@levelset/core";
import { reviewAccess, subjectOf } from "./access-review.ts";
import { builtinResource } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";

/** Reviews of the access of any user. */
export const subjectAccessReviewResource: Resource = builtinResource({
  kind: SubjectAccessReview,
  virtualCreate: {
    kind: "review",
    review: (draft, context) => reviewAccess(SubjectAccessReview, draft, context, subjectOf(draft)),
  },
});
