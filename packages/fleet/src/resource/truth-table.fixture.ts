// Reference implementation of Ready and Available from the decision record, independent of the expressions.

/** The last report of one required adapter: Available, Finalized, generation, time. Undefined while there is none. */
export interface Snapshot {
  readonly available: boolean;
  readonly finalized: boolean;
  readonly generation: number;
  readonly time: number;
}

/** Input of the tables. */
export interface TableInput {
  readonly snapshots: readonly (Snapshot | undefined)[];
  readonly generation: number;
  readonly deleting: boolean;
  readonly children: number;
  readonly updatedTime: number;
  readonly causeTime: number;
}

/** Result of a table row. */
export interface TableResult {
  readonly status: "True" | "False";
  readonly observedGeneration: number;
  readonly reason: string;
  readonly lastUpdatedTime: number;
  readonly lastTransitionTime: number;
}

/** The table of Ready. */
export function readyByTable(input: TableInput, before: TableResult | undefined): TableResult {
  const { snapshots, generation, updatedTime } = input;
  const [status, reason] = readyRow(input);
  const times = snapshots.flatMap((one) => (one?.generation === generation ? [one.time] : []));
  return dated(input, before, {
    status,
    reason,
    observedGeneration: generation,
    lastUpdatedTime: times.length === 0 ? updatedTime : Math.min(...times),
  });
}

function readyRow({ snapshots, generation, deleting, children }: TableInput): readonly ["True" | "False", string] {
  if (snapshots.some((one) => one?.generation !== generation)) return ["False", "ReconciledMissingAdapters"];
  if (!deleting) {
    const isUp = snapshots.every((one) => one?.available === true);
    return isUp ? ["True", "ReconciledAll"] : ["False", "ReconciledMissingAdapters"];
  }
  if (snapshots.some((one) => one?.finalized !== true)) return ["False", "ReconciledMissingAdapters"];
  return children > 0 ? ["False", "ReconciledWaitingForChildren"] : ["True", "ReconciledAll"];
}

/** The table of Available. */
export function availableByTable(input: TableInput, before: TableResult | undefined): TableResult {
  const { snapshots, updatedTime } = input;
  const reported = snapshots.filter((one) => one !== undefined);
  const generations = new Set(reported.map((one) => one.generation));
  const newest = reported.length === 0 ? (before?.observedGeneration ?? 1) : Math.max(...generations);
  const old = before?.lastUpdatedTime ?? updatedTime;
  const no = (reason: string): TableResult => {
    const isComplete = reported.length === snapshots.length;
    const failed = reported.some((one) => !one.available && one.generation === newest);
    const lastUpdatedTime = isComplete && failed ? oldest(reported.filter((one) => one.generation === newest)) : old;
    return dated(input, before, { status: "False", reason, observedGeneration: newest, lastUpdatedTime });
  };
  const yes = (observedGeneration: number, lastUpdatedTime: number): TableResult =>
    dated(input, before, { status: "True", reason: "AllAdaptersReconciled", observedGeneration, lastUpdatedTime });

  if (reported.length < snapshots.length) return no("AdaptersMissingReports");
  const failing = reported.filter((one) => !one.available);
  if (failing.length === 0 && generations.size === 1) return yes(newest, oldest(reported));
  if (before?.status === "True") {
    const tracked = before.observedGeneration;
    if (failing.some((one) => one.generation === tracked)) return no("AdapterReportedNotAvailable");
    return yes(tracked, old);
  }
  return no(failing.length === 0 ? "AdaptersNotAtSameGeneration" : "AdapterReportedNotAvailable");
}

function oldest(snapshots: readonly Snapshot[]): number {
  return Math.min(...snapshots.map(({ time }) => time));
}

function dated(
  { causeTime }: TableInput,
  before: TableResult | undefined,
  row: Omit<TableResult, "lastTransitionTime">,
): TableResult {
  const isSame = before?.status === row.status;
  return { ...row, lastTransitionTime: isSame ? before.lastTransitionTime : causeTime };
}
