import { parseApiVersion } from "@levelset/core/internal";
import { compareRuns } from "@levelset/operator/internal";
import type { ObjectRef } from "@levelset/operator";
import type { ObjectRunRecords } from "@levelset/operator/internal";
import type { ProcessResponses, Processes } from "./processes.ts";

/** Run records of operator processes. Each object is queried once, because several parts of a page need its records. */
export class RunRecordCache {
  readonly #processes: Processes;
  readonly #signal: AbortSignal;
  readonly #queries = new Map<string, Promise<ProcessResponses>>();

  constructor(processes: Processes, signal: AbortSignal) {
    this.#processes = processes;
    this.#signal = signal;
  }

  /** Returns the runs of an object, oldest first, and the kinds that its operator creates. */
  async get(ref: ObjectRef): Promise<ObjectRunRecords> {
    const { responses } = await this.#query(ref);
    const { group } = parseApiVersion(ref.apiVersion);
    const controllers = responses.flatMap((each) => each.controllers);
    const owner = controllers.find((each) => each.kind === ref.kind && each.group === group);
    const runs = responses.flatMap((each) => each.runs).filter(({ controller }) => controller === owner?.name);
    return { runs: runs.toSorted(compareRuns), owns: owner?.owns };
  }

  /** Returns the errors of processes that did not respond: their runs are missing. */
  async unreachableFor(ref: ObjectRef): Promise<readonly string[]> {
    const { unreachable } = await this.#query(ref);
    return unreachable.map(({ title, why }) => `${title} cannot be queried for runs: ${why}`);
  }

  #query(ref: ObjectRef): Promise<ProcessResponses> {
    const { namespace, name } = ref;
    const id = `${namespace ?? ""}/${name}`;
    const query = this.#queries.get(id) ?? this.#processes.runs(ref, this.#signal);
    this.#queries.set(id, query);
    return query;
  }
}
