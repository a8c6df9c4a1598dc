import { InputError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { Caller } from "../../service/index.ts";
import type { Limiter } from "../limiter.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Route } from "../route.ts";
import type { LimitsConfig } from "./limits-config.ts";
import { TokenBuckets } from "./token-buckets.ts";

const IN_FLIGHT_MAX = 1_000;

/** Enforces the limits. A refused caller gets a Retry-After; routes without permission count towards no caller. */
export class RequestLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #shares: readonly { readonly of: (caller: Caller) => string; readonly buckets: TokenBuckets }[];
  readonly #inFlightMax: number;
  #inFlight = 0;

  /** Throws an `InputError` that names the invalid field. */
  constructor(config: LimitsConfig, world: { readonly clock: Clock }) {
    const { perIdentity, perTenant, inFlightMax = IN_FLIGHT_MAX } = config;
    if (!(inFlightMax >= 1)) throw new InputError("limits.in_flight_max: must be at least 1");
    this.#clock = world.clock;
    this.#inFlightMax = inFlightMax;
    const identities = perIdentity && { of: identityOf, buckets: new TokenBuckets(perIdentity, "limits.per_identity") };
    const tenants = perTenant && { of: tenantOf, buckets: new TokenBuckets(perTenant, "limits.per_tenant") };
    this.#shares = [identities, tenants].filter((share) => share !== undefined);
  }

  /** The number of requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  acquire(caller: Caller, route: Route): () => void {
    if (this.#inFlight >= this.#inFlightMax) {
      throw new HttpProblem("SVC-002", "too many concurrent requests", { headers: { "retry-after": "1" } });
    }
    if (route.permission !== "none") this.#takeShare(caller);
    this.#inFlight += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#inFlight -= 1;
      isOver = true;
    };
  }

  #takeShare(caller: Caller): void {
    const now = this.#clock.monotonic();
    const shares = this.#shares.map(({ of, buckets }) => ({ key: of(caller), buckets }));
    const waitMs = Math.max(0, ...shares.map(({ key, buckets }) => buckets.waitMs(key, now)));
    if (waitMs > 0) {
      const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
      throw new HttpProblem("LMT-001", "rate limit exceeded: wait before the next request", { headers });
    }
    for (const { key, buckets } of shares) buckets.take(key, now);
  }
}

/** The same identity in two tenants counts as two callers. */
function identityOf({ identity, scope }: Caller): string {
  return JSON.stringify([identity, scope]);
}

function tenantOf({ scope }: Caller): string {
  return JSON.stringify(scope);
}
