import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { choice, given, int32, int64, optional, s, text, texts } from "./field.ts";
import { labelSelector } from "./meta.ts";

const nodeSelectorRequirementFields = {
  key: given("The label or field."),
  operator: s.enum("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt").describe("How it relates to the values."),
  values: texts("What to compare with; one number for Gt and Lt, nothing for Exists and DoesNotExist."),
};

/** One demand on a node's labels or fields. */
export interface NodeSelectorRequirement extends ObjectIn<typeof nodeSelectorRequirementFields> {}

/** The schema of `NodeSelectorRequirement`. */
export const nodeSelectorRequirement: ObjectSchema<NodeSelectorRequirement, NodeSelectorRequirement> =
  s.object(nodeSelectorRequirementFields);

const nodeSelectorTermFields = {
  matchExpressions: optional(s.array(nodeSelectorRequirement).atomic(), "Demands on labels."),
  matchFields: optional(s.array(nodeSelectorRequirement).atomic(), "Demands on fields, such as metadata.name."),
};

/** Demands that a node meets all at once. */
export interface NodeSelectorTerm extends ObjectIn<typeof nodeSelectorTermFields> {}

/** The schema of `NodeSelectorTerm`. */
export const nodeSelectorTerm: ObjectSchema<NodeSelectorTerm, NodeSelectorTerm> = s
  .object(nodeSelectorTermFields)
  .atomic();

const nodeSelectorFields = { nodeSelectorTerms: s.array(nodeSelectorTerm).atomic().describe("The alternatives.") };

/** A choice of nodes: those that fit any of the terms. */
export interface NodeSelector extends ObjectIn<typeof nodeSelectorFields> {}

/** The schema of `NodeSelector`. */
export const nodeSelector: ObjectSchema<NodeSelector, NodeSelector> = s.object(nodeSelectorFields).atomic();

const podAffinityTermFields = {
  labelSelector: optional(labelSelector, "The pods by label."),
  topologyKey: given("Label of nodes; those with the same value are one place."),
  namespaces: texts("Namespaces of the pods; this pod's own unless given."),
  namespaceSelector: optional(labelSelector, "Namespaces of the pods by label."),
  matchLabelKeys: texts("Labels whose values are taken from this pod and must be equal."),
  mismatchLabelKeys: texts("Labels whose values are taken from this pod and must differ."),
};

/** Pods to be near to or away from. */
export interface PodAffinityTerm extends ObjectIn<typeof podAffinityTermFields> {}

/** The schema of `PodAffinityTerm`. */
export const podAffinityTerm: ObjectSchema<PodAffinityTerm, PodAffinityTerm> = s.object(podAffinityTermFields);

const podAffinityFields = {
  requiredDuringSchedulingIgnoredDuringExecution: optional(s.array(podAffinityTerm).atomic(), "Must hold."),
  preferredDuringSchedulingIgnoredDuringExecution: optional(
    s
      .array(
        s.object({
          weight: s.int32().describe("From 1 to 100."),
          podAffinityTerm: podAffinityTerm.describe("The pods."),
        }),
      )
      .atomic(),
    "Should hold, with weights.",
  ),
};

/** Where a pod belongs in relation to other pods. */
export interface PodAffinity extends ObjectIn<typeof podAffinityFields> {}

/** The schema of `PodAffinity`. */
export const podAffinity: ObjectSchema<PodAffinity, PodAffinity> = s.object(podAffinityFields);

const affinityFields = {
  nodeAffinity: optional(
    s.object({
      requiredDuringSchedulingIgnoredDuringExecution: optional(nodeSelector, "Nodes that come into question."),
      preferredDuringSchedulingIgnoredDuringExecution: optional(
        s
          .array(
            s.object({
              weight: s.int32().describe("From 1 to 100."),
              preference: nodeSelectorTerm.describe("The nodes that are liked better."),
            }),
          )
          .atomic(),
        "Nodes that are liked better, with weights.",
      ),
    }),
    "In relation to nodes.",
  ),
  podAffinity: optional(podAffinity, "Near these pods."),
  podAntiAffinity: optional(podAffinity, "Away from these pods."),
};

/** Where a pod belongs. */
export interface Affinity extends ObjectIn<typeof affinityFields> {}

/** The schema of `Affinity`. */
export const affinity: ObjectSchema<Affinity, Affinity> = s.object(affinityFields);

const tolerationFields = {
  key: text("The taint's key; all of them unless given, with Exists."),
  operator: choice("How the taint's value relates to the value; Equal unless given.", "Exists", "Equal", "Lt", "Gt"),
  value: text("The value to compare with."),
  effect: text("The taint's effect: NoSchedule, PreferNoSchedule or NoExecute; all of them unless given."),
  tolerationSeconds: int64("How long a NoExecute taint is put up with; for ever unless given."),
};

/** A taint of nodes that a pod puts up with. */
export interface Toleration extends ObjectIn<typeof tolerationFields> {}

/** The schema of `Toleration`. */
export const toleration: ObjectSchema<Toleration, Toleration> = s.object(tolerationFields);

const topologySpreadConstraintFields = {
  topologyKey: given("Label of nodes; those with the same value are one place."),
  whenUnsatisfiable: s.enum("DoNotSchedule", "ScheduleAnyway").describe("What happens when the spread cannot be kept."),
  maxSkew: s.int32().describe("By how many pods the places may differ."),
  minDomains: int32("How many places there should be at least."),
  labelSelector: optional(labelSelector, "The pods that count."),
  matchLabelKeys: texts("Labels whose values are taken from this pod to choose those that count."),
  nodeAffinityPolicy: choice(
    "Whether nodes that the pod rules out still count; Honor unless given.",
    "Honor",
    "Ignore",
  ),
  nodeTaintsPolicy: choice(
    "Whether nodes with taints that the pod does not tolerate still count; Ignore unless given.",
    "Honor",
    "Ignore",
  ),
};

/** How evenly pods are spread over places. */
export interface TopologySpreadConstraint extends ObjectIn<typeof topologySpreadConstraintFields> {}

/** The schema of `TopologySpreadConstraint`. */
export const topologySpreadConstraint: ObjectSchema<TopologySpreadConstraint, TopologySpreadConstraint> =
  s.object(topologySpreadConstraintFields);
