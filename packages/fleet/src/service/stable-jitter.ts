import type { RefreshTtl, Resource } from "../resource/index.ts";

/** The maximum relative jitter, so that a fleet created at once is not refreshed at once. */
const SPREAD = 0.1;

/**
 * Stretches a long interval by up to a tenth: always by the same fraction for one resource, so that a report of one
 * adapter does not move the deadline of another.
 */
export function stableJitter({ id }: Pick<Resource, "id">, ms: number): number {
  // The end of an ID is random.
  const fraction = (Number.parseInt(id.slice(-6), 16) || 0) / 2 ** 24;
  return Math.round(ms * (1 + SPREAD * fraction));
}

/** Returns the TTL of a resource's reports with jitter. */
export function stableJitterTtl(resource: Pick<Resource, "id">, ttl: RefreshTtl): RefreshTtl {
  return { ...ttl, readyMs: stableJitter(resource, ttl.readyMs) };
}
