import type { NewMeta } from "../object/index.ts";
import type { ListSchema, ObjectIn, ObjectSchema } from "../schema/index.ts";
import type { LabelSelectorObject } from "../selector/index.ts";
import {
  optionalBoolean,
  requiredString,
  int64,
  withPatchStrategy,
  optionalJsonObject,
  optionalString,
  optionalStringMap,
  optionalStrings,
  optionalTime,
} from "./field-builders.ts";
import { s } from "../schema/index.ts";

/** The schema of a label selector in its object form. It is atomic. */
export const labelSelector: ObjectSchema<LabelSelectorObject, LabelSelectorObject> = s
  .object({
    matchLabels: optionalStringMap("Labels with exactly these values."),
    matchExpressions: s
      .array(
        s.object({
          key: requiredString("The label."),
          operator: s
            .enum("In", "NotIn", "Exists", "DoesNotExist")
            .describe("Operator between the key and the values."),
          values: optionalStrings("Values to compare with; empty for Exists and DoesNotExist."),
        }),
      )
      .atomic()
      .describe("Requirements in addition to matchLabels.")
      .optional(),
  })
  .atomic();

const ownerReference = s
  .object({
    apiVersion: requiredString("Group and version of the owner."),
    kind: requiredString("Kind of the owner."),
    name: requiredString("Name of the owner."),
    uid: requiredString("Identity of the owner."),
    controller: optionalBoolean("Whether this owner manages the object."),
    blockOwnerDeletion: optionalBoolean("Whether foreground deletion of the owner waits for this object."),
  })
  .atomic();

const managedFieldsEntry = s.object({
  manager: optionalString("The field manager."),
  operation: optionalString("Apply or Update."),
  apiVersion: optionalString("The version in which the fields are named."),
  time: optionalTime("When the fields were last written."),
  fieldsType: optionalString("FieldsV1."),
  fieldsV1: optionalJsonObject("The fields."),
  subresource: optionalString("The subresource through which they were written."),
});

/** The schema of the metadata of a template. The server ignores fields that only it can set. */
export const templateMeta: ObjectSchema<NewMeta, NewMeta> = s.object({
  name: optionalString("Name of the object."),
  generateName: optionalString("Start of the name, if the server is to choose one."),
  namespace: optionalString("Namespace of the object."),
  labels: optionalStringMap("Labels, which selectors match."),
  annotations: optionalStringMap("Annotations, which selectors do not match."),
  finalizers: withPatchStrategy(
    "merge",
    s.array(s.string()).set().describe("Finalizers that must be removed before the object is deleted.").optional(),
  ),
  ownerReferences: withPatchStrategy(
    "merge",
    s
      .array(ownerReference)
      .keyedBy("uid")
      .describe("Owners; the garbage collector deletes the object with its last owner.")
      .optional(),
    "uid",
  ),
  uid: optionalString("Identity of the object."),
  resourceVersion: optionalString("Changes with every write."),
  generation: int64("Sequence number of the desired state."),
  // Older writers send null here.
  creationTimestamp: s.dateTime().describe("When it was created.").nullable().optional(),
  deletionTimestamp: optionalTime("When the object is to be deleted."),
  deletionGracePeriodSeconds: int64("Grace period in seconds."),
  managedFields: s.array(managedFieldsEntry).atomic().describe("Fields by field manager.").optional(),
  selfLink: optionalString("Deprecated."),
});

const observedGeneration = int64("Generation that the condition was computed from.");
const lastTransitionTime = s.dateTime().describe("When the status last changed.");
const reason = requiredString("Machine-readable reason.");
const message = requiredString("Human-readable message.");

const statusConditionFields = {
  type: requiredString("Type of the condition."),
  status: requiredString("True, False or Unknown."),
  lastTransitionTime: lastTransitionTime.optional(),
  reason: reason.optional(),
  message: message.optional(),
};

const standardConditionFields = { ...statusConditionFields, lastTransitionTime, reason, message, observedGeneration };

/** A condition in the standard form (`metav1.Condition`). */
export interface StandardCondition extends ObjectIn<typeof standardConditionFields> {}

/** The schema of a list of `StandardCondition`. */
export const standardConditions: ListSchema<StandardCondition, StandardCondition> = s
  .array<ObjectSchema<StandardCondition, StandardCondition>>(s.object(standardConditionFields))
  .keyedBy("type");

/** A condition in the form of most built-in kinds. */
export interface StatusCondition extends ObjectIn<typeof statusConditionFields> {}

/** The schema of a list of `StatusCondition`. */
export const conditions: ListSchema<StatusCondition, StatusCondition> = s
  .array<ObjectSchema<StatusCondition, StatusCondition>>(s.object(statusConditionFields))
  .keyedBy("type");

const probedConditionFields = {
  ...statusConditionFields,
  // Servers send null for a time that was never set.
  lastProbeTime: s.dateTime().describe("When it was last probed.").nullable().optional(),
};

/** A condition with the time of the last probe. */
export interface ConditionWithProbeTime extends ObjectIn<typeof probedConditionFields> {}

/** The schema of `ConditionWithProbeTime`. */
export const conditionWithProbeTime: ObjectSchema<ConditionWithProbeTime, ConditionWithProbeTime> =
  s.object(probedConditionFields);

/** The schema of a list of `ConditionWithProbeTime`. */
export const conditionsWithProbeTime: ListSchema<ConditionWithProbeTime, ConditionWithProbeTime> = s
  .array(conditionWithProbeTime)
  .keyedBy("type");

const podConditionFields = { ...probedConditionFields, observedGeneration };

/** A condition of a pod. */
export interface PodCondition extends ObjectIn<typeof podConditionFields> {}

/** The schema of a list of `PodCondition`. */
export const podConditions: ListSchema<PodCondition, PodCondition> = s
  .array<ObjectSchema<PodCondition, PodCondition>>(s.object(podConditionFields))
  .keyedBy("type");

const nodeConditionFields = {
  ...statusConditionFields,
  lastHeartbeatTime: s.dateTime().describe("When the node last reported it.").nullable().optional(),
};

/** A condition of a node. */
export interface NodeCondition extends ObjectIn<typeof nodeConditionFields> {}

/** The schema of a list of `NodeCondition`. */
export const nodeConditions: ListSchema<NodeCondition, NodeCondition> = s
  .array<ObjectSchema<NodeCondition, NodeCondition>>(s.object(nodeConditionFields))
  .keyedBy("type");

const deploymentConditionFields = {
  ...statusConditionFields,
  lastUpdateTime: s.dateTime().describe("When it was last updated.").nullable().optional(),
};

/** A condition of a Deployment, with the time of the last update. */
export interface DeploymentCondition extends ObjectIn<typeof deploymentConditionFields> {}

/** The schema of a list of `DeploymentCondition`. */
export const deploymentConditions: ListSchema<DeploymentCondition, DeploymentCondition> = s
  .array<ObjectSchema<DeploymentCondition, DeploymentCondition>>(s.object(deploymentConditionFields))
  .keyedBy("type");
