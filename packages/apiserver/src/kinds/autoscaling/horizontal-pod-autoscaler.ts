import type { ObjectOf, HpaScalingRules, MetricSpec, MetricStatus } from "@levelset/core";
import { HorizontalPodAutoscaler } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  truncateList,
  NONE_CELL,
  quantityText,
  UNKNOWN_CELL,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import { nonNegativeErrors, positiveErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { metricErrors, referenceErrors } from "./metric.ts";
import type { GroupRule } from "./metric.ts";

type Autoscaler = ObjectOf<typeof HorizontalPodAutoscaler>;

type Spec = Unvalidated<Autoscaler["spec"]>;

type Rules = Unvalidated<HpaScalingRules>;

type Policy = NonNullable<Rules["policies"]>[number];

const CPU_80 = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};

const UP: Rules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

const DOWN: Rules = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

const SELECT_POLICIES = ["Disabled", "Max", "Min"];

const POLICY_TYPES = ["Percent", "Pods"];

const WINDOW_MAX_SECONDS = 3600;

const PERIOD_MAX_SECONDS = 1800;

/** Strategy of HorizontalPodAutoscalers: bounds, metrics and behavior. */
const horizontalPodAutoscalerStrategy: KindStrategy = {
  initialStatus: { desiredReplicas: 0, currentMetrics: null },
  defaults: withDefaults,
  *validate(object, old) {
    const spec = unvalidatedField<Autoscaler["spec"]>(object, "spec") ?? {};
    const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior } = spec;
    if (minReplicas !== undefined && minReplicas < 1) {
      yield invalidField("spec.minReplicas", minReplicas, "must be greater than or equal to 1");
    }
    if (maxReplicas === 0) yield requiredField("spec.maxReplicas", "must be set and greater than 0");
    else if (maxReplicas < 0) yield invalidField("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1");
    if (minReplicas !== undefined && maxReplicas < minReplicas) {
      yield invalidField("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`");
    }
    yield* referenceErrors("spec.scaleTargetRef", scaleTargetRef, groupRule(scaleTargetRef, old));
    for (const [index, metric] of metrics.entries()) yield* metricErrors(`spec.metrics[${index}]`, metric);
    if (minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
      const why = "must specify at least one Object or External metric to support scaling to zero replicas";
      yield forbiddenField("spec.metrics", why);
    }
    if (behavior?.scaleUp !== undefined) yield* scalingErrors("spec.behavior.scaleUp", behavior.scaleUp);
    if (behavior?.scaleDown !== undefined) yield* scalingErrors("spec.behavior.scaleDown", behavior.scaleDown);
  },
  *validateStatusUpdate(object) {
    const { currentReplicas, desiredReplicas } =
      unvalidatedField<NonNullable<Autoscaler["status"]>>(object, "status") ?? {};
    yield* nonNegativeErrors("status.currentReplicas", currentReplicas);
    yield* nonNegativeErrors("status.desiredReplicas", desiredReplicas);
  },
};

/**
 * Returns the group rule of the scale target: a group is required, except for ReplicationControllers and stored values.
 */
function groupRule(target: NonNullable<Spec["scaleTargetRef"]>, old: ApiObject | undefined): GroupRule {
  const before = old === undefined ? undefined : unvalidatedField<Autoscaler["spec"]>(old, "spec")?.scaleTargetRef;
  if (before !== undefined && before.kind === target.kind && before.apiVersion === target.apiVersion) return "anything";
  return target.kind === "ReplicationController" ? "any group" : "some group";
}

function withDefaults(draft: UnvalidatedObject): UnvalidatedObject {
  const spec: Spec = unvalidatedField<Autoscaler["spec"]>(draft, "spec") ?? {};
  const { minReplicas = 1, metrics = [], behavior } = spec;
  return {
    ...draft,
    spec: {
      ...spec,
      minReplicas,
      metrics: metrics.length === 0 ? [CPU_80] : metrics,
      ...(behavior === undefined
        ? {}
        : { behavior: { scaleUp: { ...UP, ...behavior.scaleUp }, scaleDown: { ...DOWN, ...behavior.scaleDown } } }),
    },
  };
}

function* scalingErrors(path: string, rules: Rules): FieldErrors {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules;
  const at = `${path}.stabilizationWindowSeconds`;
  if (window !== undefined && window < 0) yield invalidField(at, window, "must be greater than or equal to zero");
  if (window !== undefined && window > WINDOW_MAX_SECONDS) {
    yield invalidField(at, window, `must be less than or equal to ${WINDOW_MAX_SECONDS}`);
  }
  if (selectPolicy !== undefined && !SELECT_POLICIES.includes(selectPolicy)) {
    yield unsupportedField(`${path}.selectPolicy`, selectPolicy, SELECT_POLICIES);
  }
  if (policies.length === 0) yield requiredField(`${path}.policies`, "must specify at least one Policy");
  for (const [index, policy] of policies.entries()) yield* policyErrors(`${path}.policies[${index}]`, policy);
}

function* policyErrors(path: string, { type = "", value = 0, periodSeconds = 0 }: Policy): FieldErrors {
  if (!POLICY_TYPES.includes(type)) yield unsupportedField(`${path}.type`, type, POLICY_TYPES);
  yield* positiveErrors(`${path}.value`, value);
  yield* positiveErrors(`${path}.periodSeconds`, periodSeconds);
  if (periodSeconds > PERIOD_MAX_SECONDS) {
    yield invalidField(`${path}.periodSeconds`, periodSeconds, `must be less than or equal to ${PERIOD_MAX_SECONDS}`);
  }
}

const SHOWN_METRICS = 2;

export const horizontalPodAutoscalerPrinter: Printer = printer<typeof HorizontalPodAutoscaler>(
  [
    NAME_COLUMN,
    tableColumn("Reference", "The scale target."),
    tableColumn("Targets", "Current and target values of the metrics."),
    tableColumn("MinPods", "Minimum number of pods."),
    tableColumn("MaxPods", "Maximum number of pods."),
    tableColumn("Replicas", "Current number of pods."),
    AGE_COLUMN,
  ],
  (scaler) => {
    const { spec, status } = scaler;
    return [
      `${spec?.scaleTargetRef.kind ?? ""}/${spec?.scaleTargetRef.name ?? ""}`,
      targetsText(scaler),
      spec?.minReplicas === undefined ? UNSET_CELL : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
    ];
  },
);

function targetsText({ spec, status }: ObjectOf<typeof HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? [];
  const targets = metrics.map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  return targets.length === 0 ? NONE_CELL : truncateList(targets, SHOWN_METRICS, ", ");
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case "External":
      return valueText(metric.external?.target, status?.external?.current);
    case "Object":
      return valueText(metric.object?.target, status?.object?.current);
    case "Pods":
      return `${averageText(status?.pods?.current)}/${quantityText(metric.pods?.target.averageValue)}`;
    case "Resource":
      return `${metric.resource?.name ?? ""}: ${shareText(metric.resource?.target, status?.resource?.current)}`;
    case "ContainerResource": {
      const { containerResource: desired } = metric;
      return `${desired?.name ?? ""}: ${shareText(desired?.target, status?.containerResource?.current)}`;
    }
    default:
      return "<unknown type>";
  }
}

interface Amount {
  readonly value?: number | string | undefined;
  readonly averageValue?: number | string | undefined;
  readonly averageUtilization?: number | undefined;
}

function averageText(current: Amount | undefined): string {
  return current === undefined ? UNKNOWN_CELL : quantityText(current.averageValue);
}

/** Formats an object or external metric: a value, or an average per pod. */
function valueText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue === undefined) {
    return `${current === undefined ? UNKNOWN_CELL : quantityText(current.value)}/${quantityText(target?.value)}`;
  }
  const now = current?.averageValue === undefined ? UNKNOWN_CELL : quantityText(current.averageValue);
  return `${now}/${quantityText(target.averageValue)} (avg)`;
}

/** Formats a resource metric: an amount, or the utilization of the requests. */
function shareText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue !== undefined) return `${averageText(current)}/${quantityText(target.averageValue)}`;
  const share = (amount: Amount | undefined, otherwise: string): string =>
    amount?.averageUtilization === undefined ? otherwise : `${amount.averageUtilization}%`;
  return `${share(current, UNKNOWN_CELL)}/${share(target, "<auto>")}`;
}

/** HorizontalPodAutoscalers. */
export const horizontalPodAutoscalerResource: Resource = builtinResource({
  kind: HorizontalPodAutoscaler,
  categories: ["all"],
  strategy: horizontalPodAutoscalerStrategy,
  printer: horizontalPodAutoscalerPrinter,
});
