import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, ObjectOf } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { firstOf, NONE, quantityText, UNKNOWN, UNSET } from "./text.ts";

const SHOWN_METRICS = 2;

export const horizontalPodAutoscalerPrinter: Printer = printer<typeof HorizontalPodAutoscaler>(
  [
    NAME,
    column("Reference", "What is scaled."),
    column("Targets", "Measured and wanted values."),
    column("MinPods", "The fewest pods."),
    column("MaxPods", "The most pods."),
    column("Replicas", "Pods there are."),
    AGE,
  ],
  (scaler, now) => {
    const { spec, status } = scaler;
    return [
      scaler.metadata.name,
      `${spec?.scaleTargetRef.kind ?? ""}/${spec?.scaleTargetRef.name ?? ""}`,
      targetsText(scaler),
      spec?.minReplicas === undefined ? UNSET : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      ageOf(scaler, now),
    ];
  },
);

function targetsText({ spec, status }: ObjectOf<typeof HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? [];
  const targets = metrics.map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  return targets.length === 0 ? NONE : firstOf(targets, SHOWN_METRICS, ", ");
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
      const { containerResource: wanted } = metric;
      return `${wanted?.name ?? ""}: ${shareText(wanted?.target, status?.containerResource?.current)}`;
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
  return current === undefined ? UNKNOWN : quantityText(current.averageValue);
}

/** A metric of one object or of something outside: a value, or one for each pod. */
function valueText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue === undefined) {
    return `${current === undefined ? UNKNOWN : quantityText(current.value)}/${quantityText(target?.value)}`;
  }
  const now = current?.averageValue === undefined ? UNKNOWN : quantityText(current.averageValue);
  return `${now}/${quantityText(target.averageValue)} (avg)`;
}

/** A metric of the pods' resources: an amount, or a share of what they ask for. */
function shareText(target: Amount | undefined, current: Amount | undefined): string {
  if (target?.averageValue !== undefined) return `${averageText(current)}/${quantityText(target.averageValue)}`;
  const share = (amount: Amount | undefined, otherwise: string): string =>
    amount?.averageUtilization === undefined ? otherwise : `${amount.averageUtilization}%`;
  return `${share(current, UNKNOWN)}/${share(target, "<auto>")}`;
}
