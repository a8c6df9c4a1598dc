import { SelfSubjectReview } from "@levelset/core";
import { userInfo } from "./user-info.ts";
import { builtinResource } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";

/** Reviews of the identity of the requesting user. */
export const selfSubjectReviewResource: Resource = builtinResource({
  kind: SelfSubjectReview,
  virtualCreate: { kind: "review", review: (draft, { user }) => ({ ...draft, status: { userInfo: userInfo(user) } }) },
});
