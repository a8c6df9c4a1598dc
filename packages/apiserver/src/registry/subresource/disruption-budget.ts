import { labelSelectorFromObject, matchesLabelSelector, SelectorError } from "@levelset/core/schema";
import { StatusError } from "@levelset/core";
import type { LabelSelectorObject } from "@levelset/core/schema";
import type { ApiObject } from "../../store/index.ts";
import { forbiddenError, asArray, asRecord } from "../../resource/index.ts";
import type { Registry } from "../registry.ts";

const BUDGETS = { group: "policy", version: "v1", plural: "poddisruptionbudgets" };
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
/** `MaxDisruptedPodSize` in `pkg/registry/core/pod/storage/eviction.go` (Kubernetes 1.36). */
const DISRUPTED_MAX = 2000;

/** Returns the PodDisruptionBudget that selects a pod, if any. */
export function disruptionBudgetOf(registry: Registry, pod: ApiObject): ApiObject | undefined {
  const { namespace = "" } = pod.metadata;
  const listing = registry.store.list({ resource: `${BUDGETS.plural}.${BUDGETS.group}`, namespace });
  const budgets = listing.kind === "listing" ? listing.records.map(({ object }) => object) : [];
  const [budget, ...more] = budgets.filter((object) => selects(object, pod));
  if (more.length === 0) return budget;
  throw new StatusError(
    "InternalError",
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  );
}

function selects(budget: ApiObject, pod: ApiObject): boolean {
  const { selector } = asRecord(budget["spec"]);
  if (selector === undefined) return false;
  try {
    // The selector was validated against the schema.
    return matchesLabelSelector(labelSelectorFromObject(selector as LabelSelectorObject), pod.metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Returns whether an unready pod can be evicted without decrementing the budget (KEP-3017). */
export function canIgnoreBudget(pod: ApiObject, budget: ApiObject): boolean {
  const isReady = asArray(asRecord(pod["status"])["conditions"])
    .map(asRecord)
    .some(({ type, status }) => type === "Ready" && status === "True");
  if (isReady) return false;
  if (asRecord(budget["spec"])["unhealthyPodEvictionPolicy"] === "AlwaysAllow") return true;
  const { currentHealthy, desiredHealthy } = numbersOf(budget);
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

interface BudgetNumbers {
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly observedGeneration: number;
}

function numbersOf(budget: ApiObject): BudgetNumbers {
  const status = asRecord(budget["status"]);
  const number = (field: string): number => Number(status[field] ?? 0);
  return {
    disruptionsAllowed: number("disruptionsAllowed"),
    currentHealthy: number("currentHealthy"),
    desiredHealthy: number("desiredHealthy"),
    observedGeneration: number("observedGeneration"),
  };
}

/** Decrements the allowed disruptions of a budget for a pod. Throws TooManyRequests if none is left. */
export async function checkAndDecrement(
  registry: Registry,
  budget: ApiObject,
  pod: string,
  options: { readonly dryRun: boolean; readonly now: string },
): Promise<void> {
  const resource = registry.catalog.find(BUDGETS.group, BUDGETS.version, BUDGETS.plural);
  if (resource === undefined) throw new TypeError("a budget without its kind");
  const { name, namespace = "" } = budget.metadata;
  checkBudget(budget);
  if (options.dryRun) return;
  await registry.privilegedUpdate({ resource, namespace, name }, (latest) => {
    checkBudget(latest);
    return { ...latest, status: spent(latest, pod, options.now) };
  });
}

function spent(budget: ApiObject, pod: string, now: string): Readonly<Record<string, unknown>> {
  const status = asRecord(budget["status"]);
  const disruptionsAllowed = numbersOf(budget).disruptionsAllowed - 1;
  const counted = {
    ...status,
    disruptionsAllowed,
    disruptedPods: { ...asRecord(status["disruptedPods"]), [pod]: now },
  };
  if (disruptionsAllowed > 0) return counted;
  const report = { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" } as const;
  const conditions = asArray(status["conditions"]).map(asRecord);
  const before = conditions.find(({ type }) => type === report.type);
  const lastTransitionTime = before?.["status"] === "False" ? before["lastTransitionTime"] : now;
  const observedGeneration = budget.metadata.generation;
  return {
    ...counted,
    conditions: [
      ...conditions.filter((other) => other !== before),
      { ...report, lastTransitionTime, observedGeneration },
    ],
  };
}

function checkBudget(budget: ApiObject): void {
  const { name, generation = 0 } = budget.metadata;
  const { observedGeneration, disruptionsAllowed, currentHealthy, desiredHealthy } = numbersOf(budget);
  if (observedGeneration < generation) throw budgetStillProcessingError(name);
  const subject = { group: "policy", plural: "poddisruptionbudget" };
  if (disruptionsAllowed < 0) throw forbiddenError(subject, name, "pdb disruptions allowed is negative");
  if (Object.keys(asRecord(asRecord(budget["status"])["disruptedPods"])).length > DISRUPTED_MAX) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbiddenError(subject, name, why);
  }
  if (disruptionsAllowed > 0) return;
  throw refused(refusalOf(budget, name, currentHealthy, desiredHealthy), undefined);
}

function refusalOf(budget: ApiObject, name: string, currentHealthy: number, desiredHealthy: number): string {
  const { status, reason, message } = asRecord(
    asArray(asRecord(budget["status"])["conditions"])
      .map(asRecord)
      .find(({ type }) => type === "DisruptionAllowed"),
  );
  const hasMessage = status === "False" && typeof message === "string" && message !== "";
  const start = `The disruption budget ${name}`;
  if (hasMessage && reason === "SyncFailed") {
    return `${start} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `${start} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return hasMessage
    ? `${start} does not allow evicting pods currently (${String(reason)}): ${message}`
    : `${start} does not allow evicting pods currently`;
}

/** 429: the disruption controller has not processed the budget yet. */
export function budgetStillProcessingError(name: string): StatusError {
  return refused(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function refused(message: string, retryAfterSeconds: number | undefined): StatusError {
  return new StatusError("TooManyRequests", REFUSAL, {
    details: {
      causes: [{ reason: "DisruptionBudget", message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}
