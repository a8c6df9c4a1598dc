import { JsonError, parseJson, stringifyJson } from "@levelset/core/internal";
import { HorizontalPodAutoscalerV1 } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, Resource } from "../../resource/index.ts";
import { builtinResource, asArray, asRecord } from "../../resource/index.ts";
import { horizontalPodAutoscalerResource, horizontalPodAutoscalerPrinter } from "./horizontal-pod-autoscaler.ts";

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = "autoscaling.alpha.kubernetes.io/";

/** Fields of autoscaling/v2 that autoscaling/v1 carries in annotations. */
const CARRIED: readonly (readonly [annotation: string, part: "spec" | "status", field: string])[] = [
  [`${PREFIX}metrics`, "spec", "metrics"],
  [`${PREFIX}behavior`, "spec", "behavior"],
  [`${PREFIX}current-metrics`, "status", "currentMetrics"],
  [`${PREFIX}conditions`, "status", "conditions"],
];

function toHome(draft: UnvalidatedObject): UnvalidatedObject {
  const given = draft.metadata.annotations ?? {};
  const { targetCPUUtilizationPercentage: percent, ...spec } = asRecord(draft["spec"]);
  const { currentCPUUtilizationPercentage: _cpu, ...status } = asRecord(draft["status"]);
  const carried = (part: string): Fields =>
    Object.fromEntries(
      CARRIED.filter(([name, of]) => of === part && given[name] !== undefined)
        .map(([name, , field]): [string, unknown] => [field, read(given[name] ?? "")])
        .filter(([, value]) => value !== undefined),
    );
  const others = asArray(carried("spec")["metrics"]);
  const metrics = percent === undefined ? others : [...others, cpuMetric(percent)];
  const { annotations: _a, ...metadata } = draft.metadata;
  const annotations = Object.fromEntries(Object.entries(given).filter(([name]) => !isCarried(name)));
  return {
    apiVersion: "autoscaling/v2",
    kind: draft.kind,
    metadata: { ...metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...spec, ...carried("spec"), ...(metrics.length === 0 ? {} : { metrics }) },
    ...(draft["status"] === undefined ? {} : { status: { ...status, ...carried("status") } }),
  };
}

function fromHome(object: ApiObject): ApiObject {
  const { metrics, behavior, ...spec } = asRecord(object["spec"]);
  const { currentMetrics, conditions, ...status } = asRecord(object["status"]);
  const others = asArray(metrics).filter((metric) => percentOf(metric) === undefined);
  const percent = asArray(metrics)
    .map(percentOf)
    .find((value) => value !== undefined);
  const current = asArray(currentMetrics)
    .map(currentPercentOf)
    .find((value) => value !== undefined);
  const values = [others, behavior, currentMetrics, conditions];
  const carried = CARRIED.flatMap(([name], index): [string, string][] => {
    const value = values[index];
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[name, stringifyJson(value)]];
  });
  const annotations = { ...object.metadata.annotations, ...Object.fromEntries(carried) };
  return {
    apiVersion: "autoscaling/v1",
    kind: object.kind,
    metadata: { ...object.metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...spec, ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

function isCarried(annotation: string): boolean {
  return CARRIED.some(([name]) => name === annotation);
}

/** Parses an annotation; undefined if it is not valid. */
function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function cpuMetric(percent: unknown): Fields {
  return {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percent } },
  };
}

function percentOf(metric: unknown): unknown {
  const { name, target } = asRecord(asRecord(metric)["resource"]);
  return name === "cpu" ? asRecord(target)["averageUtilization"] : undefined;
}

function currentPercentOf(metric: unknown): unknown {
  const { name, current } = asRecord(asRecord(metric)["resource"]);
  return name === "cpu" ? asRecord(current)["averageUtilization"] : undefined;
}

/**
 * HorizontalPodAutoscalers of autoscaling/v1, stored as autoscaling/v2. Fields that v1 lacks are converted to
 * annotations (`pkg/apis/autoscaling/v1/conversion.go`, Kubernetes 1.36); here the annotations contain the v2 form.
 */
export const horizontalPodAutoscalerV1Resource: Resource = builtinResource({
  kind: HorizontalPodAutoscalerV1,
  categories: ["all"],
  printer: horizontalPodAutoscalerPrinter,
  alias: {
    storageResource: horizontalPodAutoscalerResource,
    toStorage: toHome,
    fromStorage: fromHome,
  },
});
