import { controllerOf, kindId, PodDisruptionBudget } from "@levelset/core";
import { deepEqual, formatTimestamp } from "@levelset/core/internal";
import { matchesLabelSelector } from "@levelset/core/schema";
import type { ObjectOf } from "@levelset/core";
import type { BuiltinController } from "../controller.ts";
import type { RecordChange } from "../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import { setWorkloadCondition } from "./workload-condition.ts";
import { scaledValueOf } from "./int-or-percent.ts";
import { parsedSelectorOf } from "./controller-ref.ts";
import { isPodActive, isPodReady, POD_KIND } from "./pod/pod.ts";
import type { Pod } from "./pod/pod.ts";
import type { WorkloadContext } from "./workload-context.ts";

type Budget = ObjectOf<typeof PodDisruptionBudget>;

/** Computes the allowed disruptions of pod disruption budgets. */
export class DisruptionController implements BuiltinController {
  readonly name = "disruption controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys({ key, current, previous }: RecordChange): Iterable<string> {
    const resource = kindId(PodDisruptionBudget);
    if (key.resource === resource && current !== undefined) yield formatStoreKey(key);
    if (key.resource !== kindId(POD_KIND)) return;
    for (const budget of this.#context.client.list(PodDisruptionBudget, key.namespace)) {
      const selector = parsedSelectorOf(budget.spec?.selector);
      const isConcerned = [current, previous].some(
        (record) => record !== undefined && matchesLabelSelector(selector, record.object.metadata.labels),
      );
      if (isConcerned) yield formatStoreKey({ resource, namespace: key.namespace, name: budget.metadata.name });
    }
  }

  async sync(key: string): Promise<undefined> {
    const { client, clock } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const budget = client.get(PodDisruptionBudget, namespace, name);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const selector = parsedSelectorOf(budget.spec?.selector);
    const pods = client
      .list(POD_KIND, namespace)
      .filter((pod) => matchesLabelSelector(selector, pod.metadata.labels) && isPodActive(pod));
    const status = this.#statusOf(budget, pods, formatTimestamp(clock.now()));
    if (!deepEqual(budget.status, status)) await client.updateStatus(PodDisruptionBudget, budget, () => status);
  }

  #statusOf(budget: Budget, pods: readonly Pod[], now: string): Readonly<Record<string, unknown>> {
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    const expectedPods = typeof minAvailable === "number" ? pods.length : this.#expected(pods);
    const desiredHealthy =
      maxUnavailable === undefined
        ? scaledValueOf(minAvailable, expectedPods, "up")
        : Math.max(0, expectedPods - scaledValueOf(maxUnavailable, expectedPods, "up"));
    const currentHealthy = pods.filter(isPodReady).length;
    const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
    const update = {
      type: "DisruptionAllowed",
      status: disruptionsAllowed > 0 ? "True" : "False",
      reason: disruptionsAllowed > 0 ? "SufficientPods" : "InsufficientPods",
      message: "",
    };
    const { disruptedPods } = budget.status ?? {};
    return {
      observedGeneration: budget.metadata.generation,
      ...(disruptedPods === undefined ? {} : { disruptedPods }),
      currentHealthy,
      desiredHealthy,
      disruptionsAllowed,
      expectedPods,
      conditions: setWorkloadCondition(budget.status?.conditions, update, now),
    };
  }

  /** Returns the number of pods that the controllers desire, which may exceed the existing pods. */
  #expected(pods: readonly Pod[]): number {
    const { index, client } = this.#context;
    const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid ?? ""));
    let expected = pods.filter((pod) => controllerOf(pod) === undefined).length;
    for (const uid of owners) {
      const key = index.storeKeyOf(uid);
      const spec = key === undefined ? undefined : client.registry.store.get(key)?.object["spec"];
      const replicas = typeof spec === "object" && spec !== null && "replicas" in spec ? spec.replicas : undefined;
      expected +=
        typeof replicas === "number"
          ? replicas
          : pods.filter((pod) => uid !== "" && controllerOf(pod)?.uid === uid).length;
    }
    return expected;
  }
}
