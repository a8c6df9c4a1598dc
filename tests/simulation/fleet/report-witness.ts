import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";

/** A report that the API has accepted. */
interface Accepted {
  readonly adapter: string;
  readonly generation: number;
  readonly isAvailable: boolean;
  readonly isFinalized: boolean;
}

const STATUSES = /\/(?<id>[^/]+)\/statuses$/u;

/** Watches the requests of adapters to the API: the generations that each was shown, and its accepted reports. */
export class ReportWitness {
  /** Adapter and resource → the highest generation that the API has shown to the adapter. */
  readonly #shown = new Map<string, number>();
  /** Resource → its accepted reports. */
  readonly #accepted = new Map<string, Accepted[]>();
  #violation: string | undefined;

  /** The first report that was not about what its adapter had seen; undefined if there is none. */
  get violation(): string | undefined {
    return this.#violation;
  }

  /** The number of accepted reports about a resource. */
  reportsOn(id: string): number {
    return this.#accepted.get(id)?.length ?? 0;
  }

  /** Adapters that have not reported Available=True for a generation of a resource. */
  withoutAvailable(id: string, generation: number, required: readonly string[]): readonly string[] {
    return this.#without(id, required, (report) => report.isAvailable && report.generation === generation);
  }

  /** Adapters that have not reported Finalized=True for this generation of a resource, or a later one. */
  withoutFinalized(id: string, generation: number, required: readonly string[]): readonly string[] {
    return this.#without(id, required, (report) => report.isFinalized && report.generation >= generation);
  }

  #without(id: string, required: readonly string[], isMet: (report: Accepted) => boolean): readonly string[] {
    const reports = (this.#accepted.get(id) ?? []).filter(isMet);
    return required.filter((adapter) => !reports.some((report) => report.adapter === adapter));
  }

  /** Takes a request of an adapter and its response. */
  readonly observe = async (adapterKey: string, request: Request, response: Response): Promise<void> => {
    const id = STATUSES.exec(new URL(request.url).pathname)?.groups?.["id"];
    if (request.method === "GET" && response.ok) this.#show(adapterKey, await jsonOf(response));
    else if (id !== undefined) this.#report(adapterKey, id, await jsonOf(request), response.ok);
  };

  /** Remembers the generations of all resources in a response. */
  #show(adapterKey: string, value: JsonValue): void {
    if (Array.isArray(value)) for (const item of value) this.#show(adapterKey, item as JsonValue);
    if (!isJsonObject(value)) return;
    const { id, generation } = value;
    if (typeof id === "string" && typeof generation === "number") {
      const key = `${adapterKey} ${id}`;
      this.#shown.set(key, Math.max(generation, this.#shown.get(key) ?? 0));
    }
    for (const inner of Object.values(value)) if (inner !== undefined) this.#show(adapterKey, inner);
  }

  #report(adapterKey: string, id: string, body: JsonValue, isAccepted: boolean): void {
    if (!isJsonObject(body)) return;
    const { adapter, observed_generation: generation, conditions } = body;
    if (typeof adapter !== "string" || typeof generation !== "number" || !Array.isArray(conditions)) return;
    const shown = this.#shown.get(`${adapterKey} ${id}`) ?? 0;
    if (generation > shown)
      this.#violation ??= `${adapterKey} reports generation ${generation}, and has seen ${shown} only`;
    const stateOf = (type: string): unknown =>
      conditions.flatMap((each) => (isJsonObject(each) && each["type"] === type ? [each["status"]] : []))[0];
    if (!isAccepted) return;
    const [available, finalized] = [stateOf("Available"), stateOf("Finalized")];
    const report = {
      adapter,
      generation,
      isAvailable: available === "True",
      // A report with Available=Unknown is progress: the API does not count it.
      isFinalized: finalized === "True" && available !== "Unknown",
    };
    this.#accepted.set(id, [...(this.#accepted.get(id) ?? []), report]);
  }
}

async function jsonOf(message: Request | Response): Promise<JsonValue> {
  const text = await message.text();
  return text === "" ? null : (JSON.parse(text) as JsonValue); // the API and its client send JSON
}
