import {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  JsonError,
  parseJson,
  stringifyJson,
} from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { Draft } from "./draft.ts";
import { builtinResource } from "./resource.ts";
import type { BuiltinFacts, Resource } from "./resource.ts";
import { listOf, recordOf } from "./shape.ts";

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = "autoscaling.alpha.kubernetes.io/";

/** Parts of the newer form that the older one can only carry in annotations. */
const CARRIED: readonly (readonly [annotation: string, part: "spec" | "status", field: string])[] = [
  [`${PREFIX}metrics`, "spec", "metrics"],
  [`${PREFIX}behavior`, "spec", "behavior"],
  [`${PREFIX}current-metrics`, "status", "currentMetrics"],
  [`${PREFIX}conditions`, "status", "conditions"],
];

/** Autoscalers of autoscaling/v1, which are those of autoscaling/v2. What v1 cannot say goes through annotations, in the form of v2. */
export function autoscalerAlias(facts: BuiltinFacts): Resource {
  const home = builtinResource(HorizontalPodAutoscaler, facts);
  return { ...builtinResource(HorizontalPodAutoscalerV1, facts), ruledAs: "", alias: { home, toHome, fromHome } };
}

function toHome(draft: Draft): Draft {
  const given = draft.metadata.annotations ?? {};
  const { targetCPUUtilizationPercentage: percent, ...spec } = recordOf(draft["spec"]);
  const { currentCPUUtilizationPercentage: _cpu, ...status } = recordOf(draft["status"]);
  const carried = (part: string): Fields =>
    Object.fromEntries(
      CARRIED.filter(([name, of]) => of === part && given[name] !== undefined)
        .map(([name, , field]): [string, unknown] => [field, read(given[name] ?? "")])
        .filter(([, value]) => value !== undefined),
    );
  const others = listOf(carried("spec")["metrics"]);
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
  const { metrics, behavior, ...spec } = recordOf(object["spec"]);
  const { currentMetrics, conditions, ...status } = recordOf(object["status"]);
  const others = listOf(metrics).filter((metric) => percentOf(metric) === undefined);
  const percent = listOf(metrics)
    .map(percentOf)
    .find((value) => value !== undefined);
  const current = listOf(currentMetrics)
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

/** What an annotation holds; undefined where somebody else wrote something into it. */
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
  const { name, target } = recordOf(recordOf(metric)["resource"]);
  return name === "cpu" ? recordOf(target)["averageUtilization"] : undefined;
}

function currentPercentOf(metric: unknown): unknown {
  const { name, current } = recordOf(recordOf(metric)["resource"]);
  return name === "cpu" ? recordOf(current)["averageUtilization"] : undefined;
}
