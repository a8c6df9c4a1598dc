/** A number of pods, or a percentage such as `25%`. */
export type IntOrPercent = number | string | undefined;

/** Returns the count for a value relative to `total`. */
export function scaledValueOf(fraction: IntOrPercent, total: number, round: "up" | "down"): number {
  if (typeof fraction === "number") return fraction;
  const share = /^(\d+)%$/u.exec(fraction ?? "")?.[1];
  if (share === undefined) return 0;
  const exact = (Number(share) * total) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}

/**
 * Resolves surge and unavailability of a rolling update. They are never both zero, because the rollout could not
 * progress.
 */
export function resolveFenceposts(
  maxSurge: IntOrPercent,
  maxUnavailable: IntOrPercent,
  replicas: number,
): { readonly surge: number; readonly unavailable: number } {
  const surge = scaledValueOf(maxSurge, replicas, "up");
  const unavailable = scaledValueOf(maxUnavailable, replicas, "down");
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}
