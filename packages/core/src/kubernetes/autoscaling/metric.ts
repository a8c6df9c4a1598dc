import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { s, requiredString, int32, optional, quantity, optionalString } from "../field-builders.ts";
import { labelSelector } from "../meta.ts";

const crossVersionObjectReferenceFields = {
  apiVersion: optionalString("Group and version of the object."),
  kind: requiredString("Kind of the object."),
  name: requiredString("Name of the object."),
};

/** An object in the same namespace. */
export interface CrossVersionObjectReference extends ObjectIn<typeof crossVersionObjectReferenceFields> {}

/** The schema of `CrossVersionObjectReference`. */
export const crossVersionObjectReference: ObjectSchema<CrossVersionObjectReference, CrossVersionObjectReference> =
  s.object(crossVersionObjectReferenceFields);

const metricIdentifierFields = { name: requiredString("Its name."), selector: optional(labelSelector, "Its labels.") };

/** Identifies a metric by name and labels. */
export interface MetricIdentifier extends ObjectIn<typeof metricIdentifierFields> {}

/** The schema of `MetricIdentifier`. */
export const metricIdentifier: ObjectSchema<MetricIdentifier, MetricIdentifier> = s.object(metricIdentifierFields);

const metricTargetFields = {
  type: s.enum("Utilization", "Value", "AverageValue").describe("Which of the values is set."),
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("Target value, averaged over the pods."),
  value: quantity("Target value of the metric."),
};

/** The target value of a metric. */
export interface MetricTarget extends ObjectIn<typeof metricTargetFields> {}

/** The schema of `MetricTarget`. */
export const metricTarget: ObjectSchema<MetricTarget, MetricTarget> = s.object(metricTargetFields);

const metricValueStatusFields = {
  averageUtilization: int32("Percent of the request, on average over the pods."),
  averageValue: quantity("Target value, averaged over the pods."),
  value: quantity("Target value of the metric."),
};

/** The current value of a metric. */
export interface MetricValueStatus extends ObjectIn<typeof metricValueStatusFields> {}

/** The schema of `MetricValueStatus`. */
export const metricValueStatus: ObjectSchema<MetricValueStatus, MetricValueStatus> = s.object(metricValueStatusFields);

const metricSpecFields = {
  type: s.enum("Resource", "ContainerResource", "Pods", "Object", "External").describe("Which of the sources is set."),
  resource: optional(
    s.object({ name: requiredString("cpu or memory."), target: metricTarget.describe("The target value.") }),
    "Resource usage of the pods.",
  ),
  containerResource: optional(
    s.object({
      name: requiredString("cpu or memory."),
      container: requiredString("The container."),
      target: metricTarget.describe("The target value."),
    }),
    "Resource usage of one container of each pod.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      target: metricTarget.describe("The target value."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A metric and its target. */
export interface MetricSpec extends ObjectIn<typeof metricSpecFields> {}

/** The schema of `MetricSpec`. */
export const metricSpec: ObjectSchema<MetricSpec, MetricSpec> = s.object(metricSpecFields);

const metricStatusFields = {
  type: requiredString("Which of the sources is set."),
  resource: optional(
    s.object({ name: requiredString("cpu or memory."), current: metricValueStatus.describe("The current value.") }),
    "Resource usage of the pods.",
  ),
  containerResource: optional(
    s.object({
      name: requiredString("cpu or memory."),
      container: requiredString("The container."),
      current: metricValueStatus.describe("The current value."),
    }),
    "Resource usage of one container of each pod.",
  ),
  pods: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric of each pod.",
  ),
  object: optional(
    s.object({
      describedObject: crossVersionObjectReference.describe("The object."),
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric of one object.",
  ),
  external: optional(
    s.object({
      metric: metricIdentifier.describe("The metric."),
      current: metricValueStatus.describe("The current value."),
    }),
    "A metric from outside the cluster.",
  ),
};

/** A metric and its current value. */
export interface MetricStatus extends ObjectIn<typeof metricStatusFields> {}

/** The schema of `MetricStatus`. */
export const metricStatus: ObjectSchema<MetricStatus, MetricStatus> = s.object(metricStatusFields);
