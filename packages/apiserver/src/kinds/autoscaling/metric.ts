import { parseQuantity, signOfQuantity } from "@levelset/core/schema";
import type { CrossVersionObjectReference, MetricIdentifier, MetricSpec, MetricTarget } from "@levelset/core";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  pathSegmentProblems,
} from "../../resource/index.ts";
import { dnsLabelErrors, isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Metric = Unvalidated<MetricSpec>;
type Target = Unvalidated<MetricTarget>;

/** Metric types and source fields, in the order of validation. */
const SOURCES = [
  ["Object", "object"],
  ["External", "external"],
  ["Pods", "pods"],
  ["Resource", "resource"],
  ["ContainerResource", "containerResource"],
] as const;

const TYPES: readonly string[] = SOURCES.map(([type]) => type).toSorted();

/** Rule for the apiVersion of a reference: any text, a valid apiVersion, or one with a group. */
export type GroupRule = "anything" | "any group" | "some group";

/** Validates a reference to an object in the same namespace. */
export function* referenceErrors(
  path: string,
  reference: Unvalidated<CrossVersionObjectReference>,
  group: GroupRule,
): FieldErrors {
  const { kind, name, apiVersion = "" } = reference;
  for (const [field, text] of [["kind", kind] as const, ["name", name] as const]) {
    if (isEmptyString(text)) yield requiredField(`${path}.${field}`);
    else yield* stringErrors(`${path}.${field}`, text, pathSegmentProblems);
  }
  if (group === "anything") return;
  if (apiVersion.split("/").length > 2) {
    yield invalidField(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  } else if (group === "some group" && !apiVersion.includes("/")) {
    yield invalidField(`${path}.apiVersion`, apiVersion, "apiVersion must specify API group");
  }
}

/** Validates a metric: it must have the source of its type and no other. */
export function* metricErrors(path: string, metric: Metric): FieldErrors {
  const { type } = metric;
  if (isEmptyString(type)) yield requiredField(`${path}.type`, "must specify a metric source type");
  const isKnown = TYPES.includes(type ?? "");
  // Reported twice, as in pkg/apis/autoscaling/validation/validation.go (Kubernetes 1.36).
  if (!isKnown) yield unsupportedField(`${path}.type`, type ?? "", TYPES);
  const given = SOURCES.filter(([, field]) => metric[field] !== undefined);
  const [first] = given;
  if (first !== undefined) yield* sourceErrors(`${path}.${first[1]}`, metric, first[1]);
  const own = SOURCES.find(([name]) => name === type)?.[1];
  if (!isKnown) yield unsupportedField(`${path}.type`, type ?? "", TYPES);
  if (own !== undefined && metric[own] === undefined) {
    yield requiredField(`${path}.${own}`, "must populate information for the given metric source");
  }
  if (given.length === 1) return;
  for (const [, field] of given) {
    if (field !== own) yield forbiddenField(`${path}.${field}`, "must populate the given metric source only");
  }
}

function* sourceErrors(path: string, metric: Metric, field: (typeof SOURCES)[number][1]): FieldErrors {
  switch (field) {
    case "object":
      yield* referenceErrors(`${path}.describedObject`, metric.object?.describedObject ?? {}, "any group");
      yield* identifierErrors(`${path}.metric`, metric.object?.metric ?? {});
      yield* valueErrors(path, metric.object?.target ?? {}, "must set either a target value or averageValue");
      return;
    case "external":
      yield* externalErrors(path, metric.external ?? {});
      return;
    case "pods":
      yield* identifierErrors(`${path}.metric`, metric.pods?.metric ?? {});
      yield* targetErrors(`${path}.target`, metric.pods?.target ?? {});
      if (metric.pods?.target?.averageValue === undefined) {
        yield requiredField(`${path}.target.averageValue`, "must specify a positive target averageValue");
      }
      return;
    case "resource":
      if (isEmptyString(metric.resource?.name)) yield requiredField(`${path}.name`, "must specify a resource name");
      yield* utilizationErrors(`${path}.target`, metric.resource?.target ?? {});
      return;
    case "containerResource":
      yield* containerErrors(path, metric.containerResource ?? {});
  }
}

function* containerErrors(path: string, source: NonNullable<Metric["containerResource"]>): FieldErrors {
  const { name, container, target = {} } = source;
  if (isEmptyString(name)) yield requiredField(`${path}.name`, "must specify a resource name");
  if (isEmptyString(container)) yield requiredField(`${path}.container`, "must specify a container");
  else yield* dnsLabelErrors(`${path}.container`, container);
  yield* utilizationErrors(`${path}.target`, target);
}

function* externalErrors(path: string, { metric = {}, target = {} }: NonNullable<Metric["external"]>): FieldErrors {
  yield* identifierErrors(`${path}.metric`, metric);
  yield* valueErrors(path, target, "must set either a target value for metric or a per-pod target");
  if (target.value !== undefined && target.averageValue !== undefined) {
    const why = "may not set both a target value for metric and a per-pod target";
    yield forbiddenField(`${path}.target.value`, why);
  }
}

function* valueErrors(path: string, target: Target, why: string): FieldErrors {
  yield* targetErrors(`${path}.target`, target);
  if (target.value === undefined && target.averageValue === undefined) {
    yield requiredField(`${path}.target.averageValue`, why);
  }
}

function* utilizationErrors(path: string, target: Target): FieldErrors {
  const { averageUtilization, averageValue } = target;
  yield* targetErrors(path, target);
  if (averageUtilization === undefined && averageValue === undefined) {
    yield requiredField(`${path}.averageUtilization`, "must set either a target raw value or a target utilization");
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    yield forbiddenField(`${path}.averageValue`, "may not set both a target raw value and a target utilization");
  }
}

function* identifierErrors(path: string, { name }: Unvalidated<MetricIdentifier>): FieldErrors {
  if (isEmptyString(name)) yield requiredField(`${path}.name`, "must specify a metric name");
  else yield* stringErrors(`${path}.name`, name, pathSegmentProblems);
}

function* targetErrors(path: string, { type, value, averageValue, averageUtilization }: Target): FieldErrors {
  if (isEmptyString(type)) yield requiredField(`${path}.type`, "must specify a metric target type");
  if (type !== "Utilization" && type !== "Value" && type !== "AverageValue") {
    yield invalidField(`${path}.type`, type ?? "", "must be either Utilization, Value, or AverageValue");
  }
  yield* positiveAmount(`${path}.value`, value);
  yield* positiveAmount(`${path}.averageValue`, averageValue);
  if (averageUtilization !== undefined && averageUtilization < 1) {
    yield invalidField(`${path}.averageUtilization`, averageUtilization, "must be greater than 0");
  }
}

function* positiveAmount(path: string, amount: number | string | undefined): FieldErrors {
  if (amount === undefined || signOfQuantity(parseQuantity(String(amount))) === 1) return;
  yield invalidField(path, amount, "must be positive");
}
