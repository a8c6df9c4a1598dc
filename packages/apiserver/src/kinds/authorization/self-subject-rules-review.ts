import { SelfSubjectRulesReview } from "@levelset/core";
import { asRecord, badRequestError, builtinResource } from "../../resource/index.ts";
import type { Resource, ReviewContext, UnvalidatedObject } from "../../resource/index.ts";

/** Reviews of everything that the requesting user may do in a namespace. */
export const selfSubjectRulesReviewResource: Resource = builtinResource({
  kind: SelfSubjectRulesReview,
  virtualCreate: { kind: "review", review: reviewRules },
});

function reviewRules(draft: UnvalidatedObject, context: ReviewContext): Readonly<Record<string, unknown>> {
  const { namespace } = asRecord(draft["spec"]);
  if (typeof namespace !== "string" || namespace === "") throw badRequestError("no namespace on request");
  // The spec is not repeated (pkg/registry/authorization/selfsubjectrulesreview/rest.go, Kubernetes 1.36).
  const { apiVersion, kind } = draft;
  return { apiVersion, kind, metadata: {}, spec: {}, status: context.authorizer.rulesFor(context.user, namespace) };
}
