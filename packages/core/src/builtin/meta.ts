import type { NewMeta } from "../object/index.ts";
import type { ListSchema, ObjectIn, ObjectSchema } from "../schema/index.ts";
import type { LabelSelectorObject } from "../selector/index.ts";
import { flag, given, int64, patched, record, s, text, textMap, texts, time } from "./field.ts";

/** The schema of a label selector in its object form. One writer owns it as a whole. */
export const labelSelector: ObjectSchema<LabelSelectorObject, LabelSelectorObject> = s
  .object({
    matchLabels: textMap("Labels with exactly these values."),
    matchExpressions: s
      .array(
        s.object({
          key: given("The label."),
          operator: s.enum("In", "NotIn", "Exists", "DoesNotExist").describe("How it relates to the values."),
          values: texts("What to compare with; nothing for Exists and DoesNotExist."),
        }),
      )
      .atomic()
      .describe("Demands that hold beside matchLabels.")
      .optional(),
  })
  .atomic();

const ownerReference = s
  .object({
    apiVersion: given("Group and version of the owner."),
    kind: given("Kind of the owner."),
    name: given("Name of the owner."),
    uid: given("Identity of the owner."),
    controller: flag("Whether this owner manages the object."),
    blockOwnerDeletion: flag("Whether the owner waits for the object to go."),
  })
  .atomic();

const managedFieldsEntry = s.object({
  manager: text("Who wrote the fields."),
  operation: text("Apply or Update."),
  apiVersion: text("The version in which the fields are named."),
  time: time("When the fields were last written."),
  fieldsType: text("FieldsV1."),
  fieldsV1: record("The fields."),
  subresource: text("The subresource through which they were written."),
});

/** The schema of the metadata of an object to be made. A server ignores what only it can give. */
export const templateMeta: ObjectSchema<NewMeta, NewMeta> = s.object({
  name: text("Name of the object."),
  generateName: text("Start of the name, if the server is to choose one."),
  namespace: text("Namespace of the object."),
  labels: textMap("What selectors go by."),
  annotations: textMap("What tools want to remember."),
  finalizers: patched(
    "merge",
    s.array(s.string()).set().describe("Who must be done before the object goes.").optional(),
  ),
  ownerReferences: patched(
    "merge",
    s.array(ownerReference).keyedBy("uid").describe("Objects it goes with.").optional(),
    "uid",
  ),
  uid: text("Identity of the object."),
  resourceVersion: text("Changes with every write."),
  generation: int64("Counts changes of spec."),
  // Older writers send null here.
  creationTimestamp: s.dateTime().describe("When it was made.").nullable().optional(),
  deletionTimestamp: time("When it is to be gone."),
  deletionGracePeriodSeconds: int64("Seconds it has to go in peace."),
  managedFields: s.array(managedFieldsEntry).atomic().describe("Who owns which fields.").optional(),
  selfLink: text("Obsolete."),
});

const observedGeneration = int64("The generation that the condition is about.");
const lastTransitionTime = s.dateTime().describe("When the status last changed.");
const reason = given("Why, in one word.");
const message = given("Why, for people.");

const statusConditionFields = {
  type: given("What is true or not."),
  status: given("True, False or Unknown."),
  lastTransitionTime: lastTransitionTime.optional(),
  reason: reason.optional(),
  message: message.optional(),
};

const standardConditionFields = { ...statusConditionFields, lastTransitionTime, reason, message, observedGeneration };

/** A condition in the form that all kinds were meant to have. */
export interface StandardCondition extends ObjectIn<typeof standardConditionFields> {}

/** The schema of a list of `StandardCondition`. */
export const standardConditions: ListSchema<StandardCondition, StandardCondition> = s
  .array<ObjectSchema<StandardCondition, StandardCondition>>(s.object(standardConditionFields))
  .keyedBy("type");

/** A condition in the form that most built-in kinds have. */
export interface StatusCondition extends ObjectIn<typeof statusConditionFields> {}

/** The schema of a list of `StatusCondition`. */
export const conditions: ListSchema<StatusCondition, StatusCondition> = s
  .array<ObjectSchema<StatusCondition, StatusCondition>>(s.object(statusConditionFields))
  .keyedBy("type");

const probedConditionFields = {
  ...statusConditionFields,
  // Servers send null for a time that was never set.
  lastProbeTime: s.dateTime().describe("When it was last looked at.").nullable().optional(),
};

/** A condition that also tells when it was last looked at. */
export interface ProbedCondition extends ObjectIn<typeof probedConditionFields> {}

/** The schema of `ProbedCondition`. */
export const probedCondition: ObjectSchema<ProbedCondition, ProbedCondition> = s.object(probedConditionFields);

/** The schema of a list of `ProbedCondition`. */
export const probedConditions: ListSchema<ProbedCondition, ProbedCondition> = s.array(probedCondition).keyedBy("type");

const podConditionFields = { ...probedConditionFields, observedGeneration };

/** A condition of a pod. */
export interface PodCondition extends ObjectIn<typeof podConditionFields> {}

/** The schema of a list of `PodCondition`. */
export const podConditions: ListSchema<PodCondition, PodCondition> = s
  .array<ObjectSchema<PodCondition, PodCondition>>(s.object(podConditionFields))
  .keyedBy("type");

const nodeConditionFields = {
  ...statusConditionFields,
  lastHeartbeatTime: s.dateTime().describe("When the node last said so.").nullable().optional(),
};

/** A condition of a node. */
export interface NodeCondition extends ObjectIn<typeof nodeConditionFields> {}

/** The schema of a list of `NodeCondition`. */
export const nodeConditions: ListSchema<NodeCondition, NodeCondition> = s
  .array<ObjectSchema<NodeCondition, NodeCondition>>(s.object(nodeConditionFields))
  .keyedBy("type");

const deploymentConditionFields = {
  ...statusConditionFields,
  lastUpdateTime: s.dateTime().describe("When it was last written.").nullable().optional(),
};

/** A condition of a deployment, which also tells when it was last written. */
export interface DeploymentCondition extends ObjectIn<typeof deploymentConditionFields> {}

/** The schema of a list of `DeploymentCondition`. */
export const deploymentConditions: ListSchema<DeploymentCondition, DeploymentCondition> = s
  .array<ObjectSchema<DeploymentCondition, DeploymentCondition>>(s.object(deploymentConditionFields))
  .keyedBy("type");
