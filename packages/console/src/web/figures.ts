import type { RuntimeDocument, Sample } from "../api/index.ts";

/** How many moments are kept for the curves. */
const MOMENTS_MAX = 120;

/** What was known of the figures at one moment: by process, name and labels. */
export interface Moment {
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Tells figures apart. */
export function figureId(url: string, { name, labels }: Pick<Sample, "name" | "labels">): string {
  return JSON.stringify([url, name, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Adds a moment; the oldest are forgotten. The same moment is not counted twice. */
export function addMoment(moments: readonly Moment[], document: RuntimeDocument): readonly Moment[] {
  const at = Date.parse(document.at);
  if (moments.at(-1)?.at === at) return moments;
  const values = new Map<string, number>();
  for (const { url, samples } of document.processes) {
    for (const sample of samples) values.set(figureId(url, sample), sample.value);
  }
  return [...moments, { at, values }].slice(-MOMENTS_MAX);
}

/** How much a counter grew each second, between moments. A process that started anew counts from zero. */
export function rates(moments: readonly Moment[], id: string): readonly number[] {
  return moments.slice(1).flatMap((moment, index) => {
    const before = moments[index];
    const [was, is] = [before?.values.get(id), moment.values.get(id)];
    if (before === undefined || was === undefined || is === undefined || moment.at <= before.at) return [];
    return [Math.max(0, is < was ? is : is - was) / ((moment.at - before.at) / 1_000)];
  });
}

/** The values of a figure, moment by moment. */
export function levels(moments: readonly Moment[], id: string): readonly number[] {
  return moments.flatMap(({ values }) => values.get(id) ?? []);
}
