import { DeclarationError } from "@levelset/core";
import type { TokenRate } from "@levelset/core/internal";

/** Limits of the requests of a process, with the names of client-go. */
interface RequestLimits {
  readonly qps?: number | undefined;
  readonly burst?: number | undefined;
}

/** Below it, requests would wait for minutes. */
const QPS_MIN = 0.01;
/** The default burst is this multiple of `qps`, as in client-go (`DefaultQPS` 5, `DefaultBurst` 10). */
const BURST_FACTOR = 2;

/** Returns the rate that options declare; undefined if requests are not limited. Throws a `DeclarationError`. */
export function requestRate({ qps, burst }: RequestLimits): TokenRate | undefined {
  if (qps === undefined) {
    if (burst === undefined) return undefined;
    throw new DeclarationError(`burst is ${burst}, but qps is not set: burst has no effect without qps`);
  }
  if (!(qps >= QPS_MIN && qps < Number.POSITIVE_INFINITY)) {
    throw new DeclarationError(`qps must be a number of at least ${QPS_MIN}, not ${qps}; omit it for no limit`);
  }
  if (burst !== undefined && !(Number.isInteger(burst) && burst >= 1)) {
    throw new DeclarationError(`burst must be an integer of at least 1, not ${burst}`);
  }
  return { perSecond: qps, burst: burst ?? Math.max(1, Math.ceil(qps * BURST_FACTOR)) };
}
