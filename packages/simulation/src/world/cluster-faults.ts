import type { Clock } from "@levelset/core";
import { FaultPlans } from "@levelset/core/testing";
import type { EventFault, Fault, RequestFilter } from "@levelset/core/testing";
import type { PlannedFault } from "../fault/index.ts";

/** A condition of the connections for a time, and the fault that has caused it. */
interface Lasting {
  readonly fault: PlannedFault;
  readonly ms: number;
}

/** The faults of a cluster. They outlive its processes: a planned fault counts the requests of all, and fires once. */
export class ClusterFaults {
  readonly plans: FaultPlans = new FaultPlans();
  readonly #clock: Clock;
  readonly #fired = new Set<PlannedFault>();
  readonly #conditions = new Map<PlannedFault, () => boolean>();
  #isOn = true;
  #lag: Lasting | undefined;
  /** Watch events are late while a stale server is read. */
  #staleLagMs = 0;
  /** `ms`: the monotonic time of the end. */
  #outages: readonly Lasting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The faults that have occurred, in this order. */
  get fired(): readonly PlannedFault[] {
    for (const [fault, hasFired] of this.#conditions) if (hasFired()) this.fire(fault);
    return [...this.#fired];
  }

  /** A fault has occurred. */
  fire(fault: PlannedFault): void {
    this.#fired.add(fault);
  }

  /** A fault that reports nothing itself has occurred as soon as a condition is true. */
  fireIf(fault: PlannedFault, hasFired: () => boolean): void {
    this.#conditions.set(fault, hasFired);
  }

  /** The n-th request from now on that passes the filter fails. */
  failRequest(fault: PlannedFault, nth: number, effect: Fault, filter: RequestFilter): void {
    this.plans.requests.add(
      nth,
      effect,
      (request) => this.#isOn && filter(request),
      () => this.fire(fault),
    );
  }

  /** The n-th watch event from now on fails. */
  failEvent(fault: PlannedFault, nth: number, effect: EventFault): void {
    this.plans.events.add(
      nth,
      effect,
      () => this.#isOn,
      () => this.fire(fault),
    );
  }

  /** Watch events are late from now on. */
  delayEvents(fault: PlannedFault, ms: number): void {
    this.#lag = { fault, ms };
  }

  /** Watch events are late while an API server is behind. 0 ends it. */
  delayStaleEvents(ms: number): void {
    this.#staleLagMs = ms;
  }

  /** The server is not reachable for a time. */
  interrupt(fault: PlannedFault, ms: number): void {
    this.#outages = [...this.#outages, { fault, ms: this.#clock.monotonic() + ms }];
  }

  /** Returns by how much a watch event that arrives now is late. */
  lagMs(): number {
    if (this.#lag !== undefined) this.fire(this.#lag.fault);
    return Math.max(this.#lag?.ms ?? 0, this.#staleLagMs);
  }

  /** Reports whether a request that is sent now does not reach the server. */
  isInterrupted(): boolean {
    const outage = this.#outages.find(({ ms }) => this.#clock.monotonic() < ms);
    if (outage !== undefined) this.fire(outage.fault);
    return outage !== undefined;
  }

  /** Allows planned faults to occur. */
  resume(): void {
    this.#isOn = true;
  }

  /** Ends what lasts. Planned faults that have not occurred wait until {@link resume}. */
  end(): void {
    this.#isOn = false;
    this.#lag = undefined;
    this.#staleLagMs = 0;
    this.#outages = [];
  }
}
