import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, ObjectOf } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { truncateList, NONE_CELL, quantityText, UNKNOWN_CELL, UNSET_CELL } from "./cell-text.ts";

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
  (scaler, now) => {
    const { spec, status } = scaler;
    return [
      scaler.metadata.name,
      `${spec?.scaleTargetRef.kind ?? ""}/${spec?.scaleTargetRef.name ?? ""}`,
      targetsText(scaler),
      spec?.minReplicas === undefined ? UNSET_CELL : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      ageCell(scaler, now),
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
