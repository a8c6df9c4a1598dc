/** One measurement, with that of a peer in the same run. */
export interface Measurement {
  readonly what: string;
  readonly unit: "µs" | "ms" | "ops/s" | "MB" | "kB" | "%" | "requests" | "statements" | "messages";
  readonly ours: number;
  /** Name and value of the peer; absent if there is none. */
  readonly peer?: { readonly name: string; readonly value: number };
}

/** Formats a table, followed by one line of JSON. */
export function report(bench: string, figures: readonly Measurement[]): string {
  const rows = figures.map(({ what, unit, ours, peer }) => [
    what,
    `${round(ours)} ${unit}`,
    peer === undefined ? "" : `${round(peer.value)} ${unit}  ${peer.name}`,
    peer === undefined || peer.value === 0 ? "" : `${round(ours / peer.value)}×`,
  ]);
  const table = [["", "ours", "peer", "ours/peer"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const json = figures.map((figure) => ({
    ...figure,
    ours: round(figure.ours),
    ...(figure.peer === undefined
      ? {}
      : { peer: { ...figure.peer, value: round(figure.peer.value) }, ratio: round(figure.ours / figure.peer.value) }),
  }));
  return [...lines, JSON.stringify({ bench, figures: json })].join("\n");
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
