import type { ExternalWorld } from "./program.ts";

/** A resource of the service. */
export interface Resource {
  readonly id: string;
  /** The intent that it was created for. */
  readonly key: string;
  readonly size: number;
  /** Milliseconds since the epoch from which it is usable. */
  readonly readyAt: number;
}

/** A service outside of the cluster, in memory. Its resources have ids that it chooses and a key of the client. */
export class FakeService implements ExternalWorld {
  readonly #resources = new Map<string, Resource>();
  readonly #calls: string[] = [];
  #fault: "refused" | "response-lost" | undefined;
  #next = 1;

  calls(): readonly string[] {
    return [...this.#calls];
  }

  live(): readonly string[] {
    return [...this.#resources.values()].map(({ key }) => key);
  }

  failNext(fault: "refused" | "response-lost"): void {
    this.#fault = fault;
  }

  get(id: string): Resource | undefined {
    return this.#resources.get(id);
  }

  find(key: string): Resource | undefined {
    return [...this.#resources.values()].find((resource) => resource.key === key);
  }

  /** Creates a resource, even if the key has one. */
  create(key: string, options: { readonly size?: number; readonly readyAt?: number } = {}): Promise<Resource> {
    const { size = 1, readyAt = 0 } = options;
    return this.#effect(`create ${key}`, () => {
      const resource = { id: `r-${this.#next++}`, key, size, readyAt };
      this.#resources.set(resource.id, resource);
      return resource;
    });
  }

  /** Performs an action that leaves no resource. */
  async perform(action: string): Promise<void> {
    await this.#effect(action, () => {});
  }

  /** Performs an action, unless it was performed before. */
  async performOnce(action: string): Promise<void> {
    if (!this.#calls.includes(action)) await this.perform(action);
  }

  /** Removes a resource, if it exists. */
  async remove(id: string): Promise<void> {
    const resource = this.get(id);
    if (resource !== undefined) await this.#effect(`delete ${resource.key}`, () => this.#resources.delete(id));
  }

  async #effect<Value>(call: string, handle: () => Value): Promise<Value> {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault === "refused") throw new Error("the service refuses the connection");
    this.#calls.push(call);
    const value = handle();
    if (fault === "response-lost") throw new Error("the service does not answer");
    return value;
  }
}
