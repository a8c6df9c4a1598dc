import { builtIn, s, optional } from "../field-builders.ts";
import { userInfo } from "./user-info.ts";

/** Returns the identity of the current user. */
export const SelfSubjectReview = builtIn({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "SelfSubjectReview",
  description: "Returns the identity of the current user.",
  scope: "Cluster",
  fields: { status: optional(s.object({ userInfo: optional(userInfo, "The current user.") }), "The result.") },
});
