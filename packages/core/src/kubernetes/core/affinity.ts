import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  s,
  optionalEnum,
  requiredString,
  int32,
  int64,
  optional,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { labelSelector } from "../meta.ts";

const nodeSelectorRequirementFields = {
  key: requiredString("The label or field."),
  operator: s
    .enum("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
    .describe("Operator between the key and the values."),
  values: optionalStrings("Values to compare with; one number for Gt and Lt, empty for Exists and DoesNotExist."),
};

/** One requirement on labels or fields of a node. */
export interface NodeSelectorRequirement extends ObjectIn<typeof nodeSelectorRequirementFields> {}

/** The schema of `NodeSelectorRequirement`. */
export const nodeSelectorRequirement: ObjectSchema<NodeSelectorRequirement, NodeSelectorRequirement> =
  s.object(nodeSelectorRequirementFields);

const nodeSelectorTermFields = {
  matchExpressions: optional(s.array(nodeSelectorRequirement).atomic(), "Requirements on labels."),
  matchFields: optional(s.array(nodeSelectorRequirement).atomic(), "Requirements on fields, such as metadata.name."),
};

/** Requirements that a node must meet together. */
export interface NodeSelectorTerm extends ObjectIn<typeof nodeSelectorTermFields> {}

/** The schema of `NodeSelectorTerm`. */
export const nodeSelectorTerm: ObjectSchema<NodeSelectorTerm, NodeSelectorTerm> = s
  .object(nodeSelectorTermFields)
  .atomic();

const nodeSelectorFields = { nodeSelectorTerms: s.array(nodeSelectorTerm).atomic().describe("The alternatives.") };

/** Selects nodes that match any of the terms. */
export interface NodeSelector extends ObjectIn<typeof nodeSelectorFields> {}

/** The schema of `NodeSelector`. */
export const nodeSelector: ObjectSchema<NodeSelector, NodeSelector> = s.object(nodeSelectorFields).atomic();

const podAffinityTermFields = {
  labelSelector: optional(labelSelector, "The pods by label."),
  topologyKey: requiredString("Node label; nodes with the same value are one topology domain."),
  namespaces: optionalStrings("Namespaces of the pods; defaults to this pod's own."),
  namespaceSelector: optional(labelSelector, "Namespaces of the pods by label."),
  matchLabelKeys: optionalStrings("Labels whose values are taken from this pod and must be equal."),
  mismatchLabelKeys: optionalStrings("Labels whose values are taken from this pod and must differ."),
};

/** Selects pods and a topology for pod affinity or anti-affinity. */
export interface PodAffinityTerm extends ObjectIn<typeof podAffinityTermFields> {}

/** The schema of `PodAffinityTerm`. */
export const podAffinityTerm: ObjectSchema<PodAffinityTerm, PodAffinityTerm> = s.object(podAffinityTermFields);

const podAffinityFields = {
  requiredDuringSchedulingIgnoredDuringExecution: optional(s.array(podAffinityTerm).atomic(), "Required terms."),
  preferredDuringSchedulingIgnoredDuringExecution: optional(
    s
      .array(
        s.object({
          weight: s.int32().describe("From 1 to 100."),
          podAffinityTerm: podAffinityTerm.describe("The pods."),
        }),
      )
      .atomic(),
    "Preferred terms, with weights.",
  ),
};

/** Affinity or anti-affinity to other pods. */
export interface PodAffinity extends ObjectIn<typeof podAffinityFields> {}

/** The schema of `PodAffinity`. */
export const podAffinity: ObjectSchema<PodAffinity, PodAffinity> = s.object(podAffinityFields);

const affinityFields = {
  nodeAffinity: optional(
    s.object({
      requiredDuringSchedulingIgnoredDuringExecution: optional(nodeSelector, "Required node selector."),
      preferredDuringSchedulingIgnoredDuringExecution: optional(
        s
          .array(
            s.object({
              weight: s.int32().describe("From 1 to 100."),
              preference: nodeSelectorTerm.describe("The preferred nodes."),
            }),
          )
          .atomic(),
        "Preferred nodes, with weights.",
      ),
    }),
    "Node affinity.",
  ),
  podAffinity: optional(podAffinity, "Pod affinity."),
  podAntiAffinity: optional(podAffinity, "Pod anti-affinity."),
};

/** Scheduling constraints of a pod. */
export interface Affinity extends ObjectIn<typeof affinityFields> {}

/** The schema of `Affinity`. */
export const affinity: ObjectSchema<Affinity, Affinity> = s.object(affinityFields);

const tolerationFields = {
  key: optionalString("Key of the taint. Empty with operator Exists: all taints."),
  operator: optionalEnum(
    "How the taint's value relates to the value; defaults to Equal.",
    "Exists",
    "Equal",
    "Lt",
    "Gt",
  ),
  value: optionalString("The value to compare with."),
  effect: optionalString("The taint's effect: NoSchedule, PreferNoSchedule or NoExecute; defaults to all of them."),
  tolerationSeconds: int64("How long a NoExecute taint is tolerated, in seconds; defaults to forever."),
};

/** A taint that a pod tolerates. */
export interface Toleration extends ObjectIn<typeof tolerationFields> {}

/** The schema of `Toleration`. */
export const toleration: ObjectSchema<Toleration, Toleration> = s.object(tolerationFields);

const topologySpreadConstraintFields = {
  topologyKey: requiredString("Node label; nodes with the same value are one topology domain."),
  whenUnsatisfiable: s.enum("DoNotSchedule", "ScheduleAnyway").describe("Behaviour if the constraint cannot be met."),
  maxSkew: s.int32().describe("Maximum difference of pods between domains."),
  minDomains: int32("Minimum number of eligible domains."),
  labelSelector: optional(labelSelector, "Selects the pods."),
  matchLabelKeys: optionalStrings("Labels whose values are taken from this pod to choose those that count."),
  nodeAffinityPolicy: optionalEnum(
    "Whether nodes that do not match the pod's node affinity are excluded; defaults to Honor.",
    "Honor",
    "Ignore",
  ),
  nodeTaintsPolicy: optionalEnum(
    "Whether nodes with taints that the pod does not tolerate are excluded (Honor); defaults to Ignore.",
    "Honor",
    "Ignore",
  ),
};

/** How evenly pods are spread over topology domains. */
export interface TopologySpreadConstraint extends ObjectIn<typeof topologySpreadConstraintFields> {}

/** The schema of `TopologySpreadConstraint`. */
export const topologySpreadConstraint: ObjectSchema<TopologySpreadConstraint, TopologySpreadConstraint> =
  s.object(topologySpreadConstraintFields);
