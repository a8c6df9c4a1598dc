import { apiVersionOf } from "@levelset/core";
import { formatId } from "../history/index.ts";
import type { RestWindow } from "../oracle/index.ts";
import type { Subject } from "../subject/index.ts";
import { isBookkeepingResource, objectKey } from "../world/index.ts";
import type { SimulatedCluster } from "../world/index.ts";

/** Records what happens from its creation on. Create it at rest. */
export class RestRecorder {
  readonly #cluster: SimulatedCluster;
  readonly #subject: Subject;
  readonly #startedAt: number;
  readonly #requests: number;
  readonly #runs: number;
  readonly #calls: number;
  #isAtWork = false;

  constructor(cluster: SimulatedCluster, subject: Subject) {
    this.#cluster = cluster;
    this.#subject = subject;
    this.#startedAt = cluster.elapsedMs;
    this.#requests = cluster.requests.length;
    this.#runs = cluster.runs.length;
    this.#calls = this.#callCount;
    cluster.journal.subscribe(({ kind, record: { key } }) => {
      if (isBookkeepingResource(key.resource)) return;
      if (kind !== "updated" || key.resource === "secrets") this.#isAtWork = true;
    });
  }

  /** Returns what has happened so far. */
  end(): Omit<RestWindow, "before" | "after" | "noise"> {
    const { requests, runs, hotLoop, elapsedMs } = this.#cluster;
    return {
      ms: elapsedMs - this.#startedAt,
      requests: requests.slice(this.#requests),
      runs: runs.slice(this.#runs).map(({ operator, record }) => this.#objectOf(operator, record.key)),
      isAtWork: this.#isAtWork || this.#callCount > this.#calls,
      hotLoop,
    };
  }

  get #callCount(): number {
    return this.#cluster.program.external?.calls().length ?? 0;
  }

  #objectOf(operator: string, key: { readonly namespace?: string; readonly name: string }): string {
    const kind = this.#subject.controllers.find(({ name }) => name === operator)?.kind;
    if (kind === undefined) return formatId({ kind: operator, ...key });
    return objectKey({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...key });
  }
}
