import { builtIn } from "../field-builders.ts";
import { access, subjectSpec } from "./access-attributes.ts";

/** Checks the permissions of a user in one namespace. */
export const LocalSubjectAccessReview = builtIn({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "LocalSubjectAccessReview",
  description: "Checks the permissions of a user in one namespace.",
  fields: { spec: subjectSpec, status: access },
});
