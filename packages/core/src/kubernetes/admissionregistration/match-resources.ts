import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { s, optionalEnum, optional, optionalStrings } from "../field-builders.ts";
import { labelSelector } from "../meta.ts";
import { ruleFields } from "./webhook.ts";

const namedRules = s
  .array(s.object({ ...ruleFields, resourceNames: optionalStrings("Only objects of these names.") }).atomic())
  .atomic();

const matchResourcesFields = {
  resourceRules: optional(namedRules, "Included resources."),
  excludeResourceRules: optional(namedRules, "Excluded resources."),
  namespaceSelector: optional(labelSelector, "Included namespaces."),
  objectSelector: optional(labelSelector, "Included objects."),
  matchPolicy: optionalEnum(
    "Whether equivalent requests for other versions of a resource match too; defaults to Equivalent.",
    "Exact",
    "Equivalent",
  ),
};

/** Selects the requests that a policy applies to. */
export interface MatchResources extends ObjectIn<typeof matchResourcesFields> {}

/** The schema of `MatchResources`. */
export const matchResources: ObjectSchema<MatchResources, MatchResources> = s.object(matchResourcesFields).atomic();
