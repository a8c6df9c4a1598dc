import { Job, kindId } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { Actor } from "./actor.ts";
import type { Controller } from "./controller.ts";
import type { Change } from "./feed.ts";
import { formatStoreKey, parseStoreKey } from "./owner-index.ts";

/** Deletes finished Jobs once their time after the end is over. */
export class TtlController implements Controller {
  readonly name = "ttl controller";
  readonly #actor: Actor;
  readonly #clock: Clock;

  constructor(options: { readonly actor: Actor; readonly clock: Clock }) {
    this.#actor = options.actor;
    this.#clock = options.clock;
  }

  *affected({ key, now }: Change): Iterable<string> {
    if (key.resource === kindId(Job) && now !== undefined) yield formatStoreKey(key);
  }

  async sync(key: string): Promise<number | undefined> {
    const { namespace, name } = parseStoreKey(key);
    const job = this.#actor.get(Job, namespace, name);
    const ttl = job?.spec?.ttlSecondsAfterFinished;
    if (job === undefined || ttl === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    const finished = job.status?.conditions?.find(
      ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
    )?.lastTransitionTime;
    if (finished === undefined) return undefined;
    const left = Date.parse(finished) + ttl * 1000 - this.#clock.now();
    if (left > 0) return left;
    const { resourceVersion } = job.metadata;
    await this.#actor.remove(Job, job, { propagationPolicy: "Foreground", preconditions: { resourceVersion } });
    return undefined;
  }
}
