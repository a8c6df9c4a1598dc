import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { builtIn, s, optionalStrings } from "../field-builders.ts";

const policyRuleFields = {
  verbs: s
    .array(s.string())
    .atomic()
    .describe("Allowed verbs: get, list, watch, create, update, patch, delete, …; * for all."),
  apiGroups: optionalStrings("Groups of the resources; empty text for the core group, * for all."),
  resources: optionalStrings("The resources, such as pods or pods/log; * for all."),
  resourceNames: optionalStrings("Only objects of these names."),
  nonResourceURLs: optionalStrings("Non-resource URLs; only in cluster roles."),
};

/** Verbs that are allowed on resources. */
export interface PolicyRule extends ObjectIn<typeof policyRuleFields> {}

/** The schema of `PolicyRule`. */
export const policyRule: ObjectSchema<PolicyRule, PolicyRule> = s.object(policyRuleFields);

/** Permissions in one namespace. */
export const Role = builtIn({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  description: "Permissions in one namespace.",
  fields: { rules: s.array(policyRule).atomic().describe("The permissions.").nullable().optional() },
});
