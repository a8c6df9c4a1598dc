import { builtIn } from "../field-builders.ts";
import { access, subjectSpec } from "./access-attributes.ts";

/** Checks the permissions of a user. */
export const SubjectAccessReview = builtIn({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  description: "Checks the permissions of a user.",
  scope: "Cluster",
  fields: { spec: subjectSpec, status: access },
});
