import { builtIn, s } from "../field-builders.ts";
import { attributes, access } from "./access-attributes.ts";

/** Checks the permissions of the current user. */
export const SelfSubjectAccessReview = builtIn({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectAccessReview",
  description: "Checks the permissions of the current user.",
  scope: "Cluster",
  fields: { spec: s.object(attributes).describe("The action to check."), status: access },
});
