import type { RefreshTtl, Resource } from "../resource/index.ts";

/** How much longer than asked a resource may be left alone, so that a fleet created together is not refreshed together. */
const SPREAD = 0.1;

/**
 * A long time, stretched by up to a tenth: for one resource always by the same part, so that a report of one adapter does not move the
 * deadline of another.
 */
export function spread({ id }: Pick<Resource, "id">, ms: number): number {
  // The end of an id is random.
  const place = (Number.parseInt(id.slice(-6), 16) || 0) / 2 ** 24;
  return Math.round(ms * (1 + SPREAD * place));
}

/** How old the reports on one resource may get. */
export function spreadTtl(resource: Pick<Resource, "id">, ttl: RefreshTtl): RefreshTtl {
  return { ...ttl, readyMs: spread(resource, ttl.readyMs) };
}
