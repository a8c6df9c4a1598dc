import { isReady, readinessOf } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { Violation } from "../violation/index.ts";
import { formatId, idOf } from "../history/index.ts";
import type { Journal } from "../world/index.ts";

const WORKLOADS: ReadonlySet<string> = new Set(["deployments.apps", "statefulsets.apps", "daemonsets.apps"]);
/** A controller needs some time to see a change. Longer, and the report is wrong. */
const GRACE_MS = 100;

/**
 * Learns from the plain creation of an object whether an operator reports Ready only if its workloads are ready, and
 * finds the times at which such an operator reports Ready beside a workload that is not.
 */
export class WorkloadGate {
  /** Whether Ready was seen beside a workload that was not ready, and the contrary. */
  #sawReadyBefore = false;
  #sawWaiting = false;
  readonly #since = new Map<string, number>();
  #violation: Violation | undefined;

  /** Whether the operator waits for its workloads, by what was observed; undefined if it had none. */
  get isGated(): boolean | undefined {
    if (this.#sawReadyBefore) return false;
    return this.#sawWaiting ? true : undefined;
  }

  get violations(): readonly Violation[] {
    return this.#violation === undefined ? [] : [this.#violation];
  }

  observe(journal: Journal, now: number, isRootKind: (object: KubeObject) => boolean): void {
    const workloads = journal.children().filter(({ resource }) => WORKLOADS.has(resource));
    if (workloads.length === 0) return;
    const present = new Map(journal.present().map(({ object }) => [object.metadata.uid, object]));
    for (const { object } of workloads) {
      const owner = present.get(
        (object.metadata.ownerReferences ?? []).find(({ controller }) => controller === true)?.uid ?? "",
      );
      if (owner === undefined || !isRootKind(owner) || owner.metadata.deletionTimestamp !== undefined) continue;
      const id = formatId(idOf(object));
      const isWorkloadReady = readinessOf(object).kind === "ready" || object.metadata.deletionTimestamp !== undefined;
      if (isWorkloadReady) this.#since.delete(id);
      else if (!isReady(owner)) {
        this.#sawWaiting = true;
        this.#since.delete(id);
      } else this.#readyBefore(id, formatId(idOf(owner)), now);
    }
  }

  #readyBefore(workload: string, owner: string, now: number): void {
    const since = this.#since.get(workload) ?? now;
    this.#since.set(workload, since);
    if (now - since < GRACE_MS) return;
    this.#sawReadyBefore = true;
    this.#violation ??= {
      rule: "ready-before-workload",
      object: owner,
      message: `${owner} is Ready while its ${workload} is not rolled out.`,
      expected: "Ready is reported only for a rollout that has ended, as after the creation of the object.",
    };
  }
}
