import { controllerOf, deepEqual, kindId, matchLabels, PodDisruptionBudget, timestamp } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import { withCondition } from "./condition.ts";
import { countOf } from "./fraction.ts";
import { selectorOf } from "./owned.ts";
import { isActive, isPodReady, PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import type { WorkloadWorld } from "./world.ts";

type Budget = ObjectOf<typeof PodDisruptionBudget>;

/** Counts how many pods a budget can do without at the moment. */
export class DisruptionController implements Controller {
  readonly name = "disruption controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected({ key, now, before }: Change): Iterable<string> {
    const resource = kindId(PodDisruptionBudget);
    if (key.resource === resource && now !== undefined) yield formatStoreKey(key);
    if (key.resource !== kindId(PodResource)) return;
    for (const budget of this.#world.actor.list(PodDisruptionBudget, key.namespace)) {
      const selector = selectorOf(budget.spec?.selector);
      const isConcerned = [now, before].some(
        (record) => record !== undefined && matchLabels(selector, record.object.metadata.labels),
      );
      if (isConcerned) yield formatStoreKey({ resource, namespace: key.namespace, name: budget.metadata.name });
    }
  }

  async sync(key: string): Promise<undefined> {
    const { actor, clock } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const budget = actor.get(PodDisruptionBudget, namespace, name);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const selector = selectorOf(budget.spec?.selector);
    const pods = actor
      .list(PodResource, namespace)
      .filter((pod) => matchLabels(selector, pod.metadata.labels) && isActive(pod));
    const status = this.#statusOf(budget, pods, timestamp(clock.now()));
    if (!deepEqual(budget.status, status)) await actor.changeStatus(PodDisruptionBudget, budget, () => status);
  }

  #statusOf(budget: Budget, pods: readonly Pod[], now: string): Readonly<Record<string, unknown>> {
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    const expectedPods = typeof minAvailable === "number" ? pods.length : this.#expected(pods);
    const desiredHealthy =
      maxUnavailable === undefined
        ? countOf(minAvailable, expectedPods, "up")
        : Math.max(0, expectedPods - countOf(maxUnavailable, expectedPods, "up"));
    const currentHealthy = pods.filter(isPodReady).length;
    const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
    const said = {
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
      conditions: withCondition(budget.status?.conditions, said, now),
    };
  }

  /** As many pods as their controllers want, which may be more than there are. */
  #expected(pods: readonly Pod[]): number {
    const { index, actor } = this.#world;
    const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid ?? ""));
    let expected = pods.filter((pod) => controllerOf(pod) === undefined).length;
    for (const uid of owners) {
      const key = index.keyOf(uid);
      const spec = key === undefined ? undefined : actor.registry.store.get(key)?.object["spec"];
      const replicas = typeof spec === "object" && spec !== null && "replicas" in spec ? spec.replicas : undefined;
      expected +=
        typeof replicas === "number"
          ? replicas
          : pods.filter((pod) => uid !== "" && controllerOf(pod)?.uid === uid).length;
    }
    return expected;
  }
}
