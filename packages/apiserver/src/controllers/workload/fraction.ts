/** A number of pods: a count, or a share of the wanted number such as `25%`. */
export type Fraction = number | string | undefined;

/** The count that a fraction of `total` stands for. */
export function countOf(fraction: Fraction, total: number, round: "up" | "down"): number {
  if (typeof fraction === "number") return fraction;
  const share = /^(\d+)%$/u.exec(fraction ?? "")?.[1];
  if (share === undefined) return 0;
  const exact = (Number(share) * total) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}

/** How far a rolling update may go. Not both can be zero, or nothing would ever move. */
export function rollingLimits(
  maxSurge: Fraction,
  maxUnavailable: Fraction,
  replicas: number,
): { readonly surge: number; readonly unavailable: number } {
  const surge = countOf(maxSurge, replicas, "up");
  const unavailable = countOf(maxUnavailable, replicas, "down");
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}
