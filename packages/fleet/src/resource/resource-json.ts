import type { JsonObject } from "@levelset/core";
import { displayedReport } from "./report/adapter-status.ts";
import type { AdapterStatus, StoredReport } from "./report/adapter-status.ts";
import type { Resource, ResourceCondition } from "./resource.ts";
import { timeText } from "./time.ts";

/** Base path of the API. */
export const BASE_PATH = "/api/hyperfleet/v1";

/** Returns a resource as shown by the API. `deleted_time` is omitted if unset: adapters treat null as a deletion. */
export function resourceJson(resource: Resource): JsonObject {
  const { id, kind, name, href, spec, labels, generation, deletion, owner, references } = resource;
  return {
    id,
    kind,
    name,
    href,
    spec,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    generation,
    created_time: timeText(resource.createdTime),
    updated_time: timeText(resource.updatedTime),
    created_by: resource.createdBy,
    updated_by: resource.updatedBy,
    ...(deletion === undefined ? {} : { deleted_time: timeText(deletion.time), deleted_by: deletion.by }),
    ...(owner === undefined ? {} : { owner_references: { ...owner } }),
    ...(Object.keys(references).length === 0 ? {} : { references: referencesJson(references) }),
    tenancy: resource.tenancy,
    status: { conditions: resource.conditions.map(conditionJson) },
  };
}

function referencesJson(references: Resource["references"]): JsonObject {
  return Object.fromEntries(
    Object.entries(references).map(([type, targets]) => [type, targets.map((target) => ({ ...target }))]),
  );
}

/** Returns a resource condition as shown by the API. */
function conditionJson({ reason, message, ...condition }: ResourceCondition): JsonObject {
  return {
    type: condition.type,
    status: condition.status,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    observed_generation: condition.observedGeneration,
    created_time: timeText(condition.createdTime),
    last_updated_time: timeText(condition.lastUpdatedTime),
    last_transition_time: timeText(condition.lastTransitionTime),
  };
}

/** Returns an adapter's status as shown by the API: its verdict with the later progress. */
export function adapterStatusJson(status: AdapterStatus): JsonObject {
  const { observedTime, ...shown } = displayedReport(status);
  const { progress } = status;
  return {
    adapter: status.adapter,
    ...reportJson(shown),
    created_time: timeText(status.createdTime),
    last_report_time: timeText(observedTime),
    ...(status.verdict === undefined || progress === undefined
      ? {}
      : { progress: { ...reportJson(progress), observed_time: timeText(progress.observedTime) } }),
  };
}

function reportJson({
  observedGeneration,
  conditions,
  data,
  metadata,
}: Omit<StoredReport, "observedTime">): JsonObject {
  return {
    observed_generation: observedGeneration,
    conditions: conditions.map(({ lastTransitionTime, ...condition }) => {
      return { ...condition, last_transition_time: timeText(lastTransitionTime) };
    }),
    data: data ?? {},
    ...(metadata === undefined ? {} : { metadata }),
  };
}
