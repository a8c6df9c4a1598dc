import { TransportError } from "@levelset/core";
import type { ExternalCall, ExternalInterceptor } from "@levelset/operator/internal";

/** Records the calls of `external` steps and breaks planned ones. */
export class ExternalCalls implements ExternalInterceptor {
  readonly #made: ExternalCall[] = [];
  #fault: "refused" | "response-lost" | undefined;
  #onFire: () => void = () => {};

  /** The calls that reached the service, oldest first. */
  get made(): readonly ExternalCall[] {
    return this.#made;
  }

  /** The next call that has an effect fails: before the service handles it, or after. */
  failNext(fault: "refused" | "response-lost", onFire: () => void): void {
    this.#fault = fault;
    this.#onFire = onFire;
  }

  endFaults(): void {
    this.#fault = undefined;
  }

  async intercept<Answer>(call: ExternalCall, make: () => Promise<Answer>): Promise<Answer> {
    const fault = call.verb === "observe" ? undefined : this.#fault;
    if (fault !== undefined) this.#onFire();
    if (call.verb !== "observe") this.#fault = undefined;
    if (fault === "refused") throw new TransportError("the service refuses the connection (injected)");
    this.#made.push(call);
    const answer = await make();
    if (fault === "response-lost") throw new TransportError("the service does not answer (injected)");
    return answer;
  }
}
