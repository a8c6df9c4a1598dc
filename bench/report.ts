/** One measured figure, with its peer of the same run. */
export interface Figure {
  readonly what: string;
  readonly unit: "µs" | "ms" | "ops/s" | "MB" | "kB" | "%" | "requests" | "statements" | "messages";
  readonly ours: number;
  /** The peer's name and figure; absent where there is none. */
  readonly peer?: { readonly name: string; readonly value: number };
}

/** A table for people, then one line of JSON for machines. */
export function report(bench: string, figures: readonly Figure[]): string {
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

/** The middle of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
