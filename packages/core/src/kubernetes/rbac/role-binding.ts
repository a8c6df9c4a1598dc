import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { builtIn, s, requiredString, optional, optionalString } from "../field-builders.ts";

const roleRefFields = {
  apiGroup: s.string().describe("Group of the role.").default("rbac.authorization.k8s.io"),
  kind: s.enum("Role", "ClusterRole").describe("Kind of the role."),
  name: requiredString("Name of the role."),
};

/** The granted role; immutable. */
export interface RoleRef extends ObjectIn<typeof roleRefFields> {}

/** The schema of `RoleRef`. */
export const roleRef: ObjectSchema<RoleRef, RoleRef> = s.object(roleRefFields).atomic();

const subjectFields = {
  kind: s.enum("User", "Group", "ServiceAccount").describe("Kind of the subject."),
  apiGroup: optionalString("Group of the kind; empty for service accounts."),
  name: requiredString("Its name."),
  namespace: optionalString("Namespace of a service account."),
};

/** Subjects that a role is granted to. */
export interface Subject extends ObjectIn<typeof subjectFields> {}

/** The schema of `Subject`. */
export const subject: ObjectSchema<Subject, Subject> = s.object(subjectFields).atomic();

/** Grants a role in one namespace. */
export const RoleBinding = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  description: "Grants a role in one namespace.",
  fields: {
    roleRef: roleRef.describe("The role."),
    subjects: optional(s.array(subject).atomic(), "Subjects that have the role."),
  },
});
