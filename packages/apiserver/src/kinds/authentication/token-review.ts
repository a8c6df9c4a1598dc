import { TokenReview } from "@levelset/core";
import { API_AUDIENCE } from "../../auth/index.ts";
import { userInfo } from "./user-info.ts";
import { asArray, asRecord, badRequestError, builtinResource } from "../../resource/index.ts";
import type { Resource, ReviewContext, UnvalidatedObject } from "../../resource/index.ts";

/** Reviews of bearer tokens. */
export const tokenReviewResource: Resource = builtinResource({
  kind: TokenReview,
  virtualCreate: { kind: "review", review: reviewToken },
});

function reviewToken(draft: UnvalidatedObject, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { token, audiences } = asRecord(draft["spec"]);
  if (typeof token !== "string" || token === "") {
    throw badRequestError("token is required for TokenReview in authentication");
  }
  const requested = asArray(audiences).filter((audience) => typeof audience === "string");
  const found = context.tokens.authenticate(token, requested.length === 0 ? [API_AUDIENCE] : requested);
  if (found === undefined) return { ...draft, status: { user: {}, error: "invalid bearer token" } };
  return { ...draft, status: { authenticated: true, user: userInfo(found.user), audiences: found.audiences } };
}
