import { SelfSubjectAccessReview } from "@levelset/core";
import { reviewAccess } from "./access-review.ts";
import { builtinResource } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";

/** Reviews of the access of the requesting user. */
export const selfSubjectAccessReviewResource: Resource = builtinResource({
  kind: SelfSubjectAccessReview,
  virtualCreate: {
    kind: "review",
    review: (draft, context) => reviewAccess(SelfSubjectAccessReview, draft, context, context.user),
  },
});
