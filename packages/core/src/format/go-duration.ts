const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n], // the micro sign
  ["μs", 1_000n], // the Greek letter
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const LIMIT = 2n ** 63n;

const NUMBER_AND_UNIT = /([0-9]*)(?:\.([0-9]*))?([^.0-9]+)/y;

/**
 * Parses a duration like Go's `time.ParseDuration` (`1h30m`, `1.5s`, `-3ms`, `0`), in nanoseconds. Returns undefined if
 * it is invalid.
 */
export function parseGoDuration(text: string): bigint | undefined {
  const signed = text.startsWith("-") || text.startsWith("+");
  if (text.slice(signed ? 1 : 0) === "0") return 0n;
  let position = signed ? 1 : 0;
  if (position === text.length) return undefined;
  let sum = 0n;
  while (position < text.length) {
    NUMBER_AND_UNIT.lastIndex = position;
    const match = NUMBER_AND_UNIT.exec(text);
    if (match === null) return undefined;
    const part = nanosOf(match[1] ?? "", match[2] ?? "", match[3] ?? "");
    if (part === undefined) return undefined;
    sum += part;
    if (sum > LIMIT) return undefined;
    position = NUMBER_AND_UNIT.lastIndex;
  }
  if (text.startsWith("-")) return -sum;
  return sum === LIMIT ? undefined : sum;
}

/** Parses a duration like {@link parseGoDuration}, in milliseconds. */
export function parseGoDurationMs(text: string): number | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? undefined : Number(nanos) / 1_000_000;
}

/** Formats a duration like Go: `1h30m0s`, `1.5s`, `3ms`, `0s`. */
export function formatGoDuration(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? "-" : "";
  if (magnitude === 0n) return "0s";
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < 1_000_000_000n) return `${sign}${decimal(magnitude, 6)}ms`;
  const minutes = magnitude / 60_000_000_000n;
  const seconds = `${decimal(magnitude % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes < 60n ? "" : `${minutes / 60n}h`;
  return `${sign}${hours}${minutes % 60n}m${seconds}`;
}

/** Returns a number with its unit in nanoseconds; undefined if it is malformed or needs more than 63 bits. */
function nanosOf(whole: string, fraction: string, unitName: string): bigint | undefined {
  const unit = UNITS.get(unitName);
  if (unit === undefined || whole + fraction === "") return undefined;
  const digits = whole.replace(/^0+/, "");
  if (digits.length > 19) return undefined;
  const value = BigInt(digits) * unit + fractionOf(fraction, Number(unit));
  return value > LIMIT ? undefined : value;
}

/** Returns a fraction of a unit, computed in doubles like Go. Digits beyond 63 bits are dropped. */
function fractionOf(digits: string, unit: number): bigint {
  const leading = /^0*/.exec(digits)?.[0].length ?? 0;
  let kept = digits.slice(leading, leading + 19);
  if (kept.length === 19 && BigInt(kept) > LIMIT) kept = kept.slice(0, 18);
  let scale = 1;
  for (let place = 0; place < leading + kept.length; place += 1) scale *= 10;
  return BigInt(Math.trunc(Number(BigInt(kept)) * (unit / scale)));
}

/** Returns the number with the decimal point moved left, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0{1,9}$/, "");
  return fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
