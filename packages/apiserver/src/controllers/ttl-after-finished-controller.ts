import { Job, kindId } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ControllerClient } from "./controller-client.ts";
import type { BuiltinController } from "./controller.ts";
import type { RecordChange } from "./change-feed.ts";
import { formatStoreKey, parseStoreKey } from "./owner-index.ts";

/** Deletes finished Jobs after `ttlSecondsAfterFinished`. */
export class TtlAfterFinishedController implements BuiltinController {
  readonly name = "ttl controller";
  readonly #actor: ControllerClient;
  readonly #clock: Clock;

  constructor(options: { readonly actor: ControllerClient; readonly clock: Clock }) {
    this.#actor = options.actor;
    this.#clock = options.clock;
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (key.resource === kindId(Job) && current !== undefined) yield formatStoreKey(key);
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
    await this.#actor.delete(Job, job, { propagationPolicy: "Foreground", preconditions: { resourceVersion } });
    return undefined;
  }
}
