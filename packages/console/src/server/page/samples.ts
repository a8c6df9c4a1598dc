import type { Sample } from "../../api/index.ts";

/** Metrics that the console shows. */
const SHOWN =
  /^(?:levelset_|process_resident_memory_bytes|process_cpu_seconds_total|nodejs_eventloop_lag_p99_seconds)/u;
const LINE = /^(?<name>[\w:]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/u;
const LABEL = /(?<name>\w+)="(?<value>(?:[^"\\]|\\.)*)"/gu;

/** Parses samples in the Prometheus text format. Ignores other lines, other metrics and histogram buckets. */
export function parseSamples(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line) => {
    const { name, labels = "", value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined || !SHOWN.test(name) || name.endsWith("_bucket")) return [];
    return [{ name, labels: labelsOf(labels), value: Number(value) }];
  });
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const labels = [...text.matchAll(LABEL)].map(({ groups = {} }) => [
    groups["name"] ?? "",
    unescaped(groups["value"] ?? ""),
  ]);
  return Object.fromEntries(labels) as Record<string, string>; // pairs of strings
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gu, (_, char: string) => (char === "n" ? "\n" : char));
}
