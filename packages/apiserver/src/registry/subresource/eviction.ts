import { Eviction, isConflict } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { decodeObject } from "../decode.ts";
import type { Draft } from "../draft.ts";
import { deleteOptionsFromBody } from "../delete-options.ts";
import type { DeleteOptions } from "../delete-options.ts";
import { badRequest, conflict } from "../failure.ts";
import type { Registry, WriteOptions } from "../registry.ts";
import type { Target } from "../target.ts";
import { builtinResource } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { recordOf } from "../shape.ts";
import { budgetOf, isSpare, spend, stillProcessing } from "./disruption-budget.ts";
import { withPodCondition } from "./pod-condition.ts";

/** Evictions, as a resource: for decoding. They have no path of their own. */
const EVICTIONS: Resource = builtinResource(Eviction, {
  unconditionalUpdate: true,
  hasGeneration: false,
  categories: [],
});

/** As the real server calls it here. */
const POD = { group: "", plural: "Pod" };

/** How an eviction is done. */
export type EvictionOptions = WriteOptions & { readonly now: string };

/** Deletes a pod unless a PodDisruptionBudget says no. Throws TooManyRequests where it does. */
export async function evictPod(
  registry: Registry,
  target: Target,
  body: JsonValue,
  options: EvictionOptions,
): Promise<void> {
  const { draft } = decodeObject(EVICTIONS, inCurrentVersion(body), options.fieldValidation);
  if (draft.metadata.name !== target.name) throw badRequest("name in URL does not match name in Eviction object");
  const asked = askedFor(draft, options);
  const pod = registry.get(target).object;
  const budget = mayGoAnyway(pod) ? undefined : budgetOf(registry, pod);
  const isGuarded = budget !== undefined && isSpare(pod, budget);
  if (budget !== undefined && !isGuarded) await spend(registry, budget, pod.metadata.name, { ...options, ...asked });
  try {
    await remove(registry, target, isGuarded ? pinned(asked, pod) : asked, options.now);
  } catch (error) {
    // The pod may have become ready meanwhile, and then the budget counts.
    if (isConflict(error) && isGuarded && asked.preconditions.resourceVersion === undefined) {
      throw stillProcessing(budget.metadata.name);
    }
    throw error;
  }
}

function inCurrentVersion(body: JsonValue): JsonValue {
  const { apiVersion } = recordOf(body);
  // Older clients name the version that this one replaced; the fields are the same.
  return apiVersion === "policy/v1beta1" ? { ...recordOf(body), apiVersion: "policy/v1" } : body;
}

function askedFor(draft: Draft, options: WriteOptions): DeleteOptions {
  const given = deleteOptionsFromBody(draft["deleteOptions"] ?? {});
  return { ...given, dryRun: given.dryRun || options.dryRun };
}

function pinned(asked: DeleteOptions, pod: ApiObject): DeleteOptions {
  const { resourceVersion } = pod.metadata;
  return { ...asked, preconditions: { resourceVersion, ...asked.preconditions } };
}

/** Marks the pod as disrupted and deletes it. */
async function remove(registry: Registry, target: Target, asked: DeleteOptions, now: string): Promise<void> {
  if (asked.dryRun) {
    await registry.delete(target, asked);
    return;
  }
  const report = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  } as const;
  const { view } = await registry.amend(target, (pod) => {
    checkPreconditions(pod, asked);
    return { ...pod, status: withPodCondition(recordOf(pod["status"]), report, now) };
  });
  const { uid, resourceVersion } = view.object.metadata;
  const isPinned = asked.preconditions.resourceVersion !== undefined;
  await registry.delete(target, { ...asked, preconditions: isPinned ? { uid, resourceVersion } : { uid } });
}

function checkPreconditions(pod: ApiObject, { preconditions }: DeleteOptions): void {
  const { name, uid, resourceVersion } = pod.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(POD, name, why);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(POD, name, why);
  }
}

/** A pod that does nothing for anybody, or is on its way out already. */
function mayGoAnyway(pod: ApiObject): boolean {
  const { phase } = recordOf(pod["status"]);
  return pod.metadata.deletionTimestamp !== undefined || ["Succeeded", "Failed", "Pending"].includes(String(phase));
}
