/**
 * Returns the delay in a Retry-After header: seconds, or an HTTP date (RFC 9110, section 10.2.3). Undefined for other
 * text, and for a date if `now` is not known.
 */
export function parseRetryAfter(text: string | null | undefined, now: number | undefined): number | undefined {
  const value = text?.trim() ?? "";
  if (/^\d+$/u.test(value)) return Number(value) * 1_000;
  // Date.parse also accepts numbers and local times.
  const time = /^[A-Z][a-z]+, .* GMT$/u.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) || now === undefined ? undefined : Math.max(0, time - now);
}
