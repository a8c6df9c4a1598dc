import { createApiServer } from "@levelset/apiserver";
import { ConfigMap, kind, s } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import { child, external, ok, operator, step } from "@levelset/operator";
import type { Operator } from "@levelset/operator";
import type { PlannedFault } from "../fault/index.ts";
import { prepareSubject } from "../subject/index.ts";
import type { Subject } from "../subject/index.ts";
import { SimulatedCluster, UserClient } from "../world/index.ts";
import { armFault } from "./arm-fault.ts";

const Note = kind({ group: "fault.levelset.dev", version: "v1", kind: "Note", spec: s.object({ text: s.string() }) });

/** An operator that lists ConfigMaps, writes one, and calls a service. */
function notes(): Operator<typeof Note> {
  let isSent = false;
  return operator(Note, [
    step(Note, "Read", {
      do: async ({ client }) => {
        await client.list(ConfigMap, { namespace: "default" });
        return ok();
      },
    }),
    child(Note, "Write", {
      kind: ConfigMap,
      desired: ({ name, spec }) => ({ metadata: { name }, data: { text: spec.text } }),
    }),
    external(Note, "Send", {
      observe: async () => (isSent ? { state: "current", value: 1 } : { state: "absent" }),
      apply: async () => {
        isSent = true;
        return { state: "current", value: 1 };
      },
      delete: async () => "deleted",
    }),
  ]);
}

/** What was seen of a world after a note was created in it. */
export interface FaultEffects {
  /** The planned faults that have occurred. */
  readonly fired: readonly PlannedFault[];
  /** Whether a process has died. */
  readonly isCrashed: boolean;
  /** Seconds until the ConfigMap was written; undefined if it was not. */
  readonly writtenAfterS: number | undefined;
  /** How often the server handled the write of the ConfigMap. */
  readonly writes: number;
  /** How often it listed ConfigMaps. */
  readonly reads: number;
  /** How many watches were opened. */
  readonly watches: number;
  /** Why runs of steps have failed. */
  readonly failures: readonly string[];
  /** Causes of other failures, each once. */
  readonly warnings: readonly string[];
}

/** A cluster with an operator of notes, in which faults occur. */
export class FaultWorld implements AsyncDisposable {
  readonly cluster: SimulatedCluster;
  readonly #user: UserClient;
  #writtenAtMs: number | undefined;

  private constructor(subject: Subject, faults: readonly PlannedFault[]) {
    const isElected = faults.some((each) => each.kind === "leader-change" || ("on" in each && each.on === "lease"));
    this.cluster = new SimulatedCluster({
      store: subject.store.fork(),
      program: subject.open(),
      seed: 1,
      now: subject.now,
      workloads: subject.workloads,
      replicas: isElected ? 2 : 1,
      renewsWatches: faults.some(({ kind }) => kind === "freeze-watches"),
    });
    this.#user = new UserClient(this.cluster.fetch, subject.pluralOf);
    this.cluster.journal.subscribe(({ record: { key } }) => {
      if (key.resource === "configmaps") this.#writtenAtMs ??= this.cluster.elapsedMs;
    });
  }

  /** Starts the processes, and arms the faults when they are at rest. */
  static async open(faults: readonly PlannedFault[]): Promise<FaultWorld> {
    const world = new FaultWorld(await prepareSubject(notes), faults);
    const { cluster } = world;
    const past = cluster.forkStore();
    cluster.start();
    await cluster.advance(1_000);
    for (const fault of faults)
      await armFault(fault, {
        cluster,
        staleServer: () => createApiServer({ store: past, clock: cluster.clock }).fetch,
      });
    return world;
  }

  /** Starts another process in place of the present one. */
  async restart(): Promise<void> {
    await this.cluster.stop();
    this.cluster.start();
    await this.cluster.untilIdle();
  }

  /** Creates a note, and lets time pass. */
  async observe(ms: number): Promise<FaultEffects> {
    const { cluster } = this;
    const [logs, requests, startedAtMs] = [cluster.logs.length, cluster.requests.length, cluster.elapsedMs];
    const metadata = { name: "a", namespace: "default" };
    await this.#user.create({ apiVersion: "fault.levelset.dev/v1", kind: "Note", metadata, spec: { text: "one" } });
    await cluster.advance(ms);
    const sent = cluster.requests.slice(requests);
    const conditions = cluster.runs.flatMap(({ record: { report } }) =>
      report.kind === "ran" ? report.conditions : [],
    );
    const failed = conditions.filter(({ type, status }) => type === "Ready" && status === "False");
    const causes = cluster.logs.slice(logs).map(({ fields: { err } }) => (err instanceof Error ? err.message : ""));
    return {
      fired: cluster.faults.fired,
      isCrashed: cluster.processes.some((each) => each.isCrashed),
      writtenAfterS:
        this.#writtenAtMs === undefined ? undefined : Math.floor((this.#writtenAtMs - startedAtMs) / 1_000),
      writes: sent.filter((each) => isWrite(each) && each.path.endsWith("/configmaps/a")).length,
      reads: sent.filter(({ path }) => path.endsWith("/default/configmaps")).length,
      watches: sent.filter(isWatch).length,
      failures: failed.map(({ message }) => message),
      warnings: [...new Set(causes)].filter((text) => text !== ""),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.close();
  }
}
