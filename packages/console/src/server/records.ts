import { parseApiVersion } from "@levelset/core";
import { compareRuns } from "@levelset/operator";
import type { ObjectRef, Records } from "@levelset/operator";
import type { ProcessAnswers, Processes } from "./processes.ts";

/** What processes recorded about objects. Each object is asked about once: a page wants the same for several parts of it. */
export class RecordBook {
  readonly #processes: Processes;
  readonly #signal: AbortSignal;
  readonly #asked = new Map<string, Promise<ProcessAnswers>>();

  constructor(processes: Processes, signal: AbortSignal) {
    this.#processes = processes;
    this.#signal = signal;
  }

  /** The runs of an object, oldest first, and the kinds that its operator makes. */
  async of(ref: ObjectRef): Promise<Records> {
    const { told } = await this.#ask(ref);
    const { group } = parseApiVersion(ref.apiVersion);
    const controllers = told.flatMap((each) => each.controllers);
    const owner = controllers.find((each) => each.kind === ref.kind && each.group === group);
    const runs = told.flatMap((each) => each.runs).filter(({ controller }) => controller === owner?.name);
    return { runs: runs.toSorted(compareRuns), owns: owner?.owns };
  }

  /** Why there may be more than was told. */
  async silentAbout(ref: ObjectRef): Promise<readonly string[]> {
    const { silent } = await this.#ask(ref);
    return silent.map(({ title, why }) => `${title} does not tell its runs: ${why}`);
  }

  #ask(ref: ObjectRef): Promise<ProcessAnswers> {
    const { namespace, name } = ref;
    const id = `${namespace ?? ""}/${name}`;
    const asked = this.#asked.get(id) ?? this.#processes.runs(ref, this.#signal);
    this.#asked.set(id, asked);
    return asked;
  }
}
