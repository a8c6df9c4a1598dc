import { listOf, recordOf } from "../shape.ts";

/** A condition of a pod, as somebody reports it. */
export interface PodConditionReport {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** The status of a pod with a condition set; its time moves only when its status changes. */
export function withPodCondition(
  status: Readonly<Record<string, unknown>>,
  report: PodConditionReport,
  now: string,
): Readonly<Record<string, unknown>> {
  const conditions = listOf(status["conditions"]).map(recordOf);
  const before = conditions.find(({ type }) => type === report.type);
  const lastTransitionTime = before?.["status"] === report.status ? before["lastTransitionTime"] : now;
  const condition = { lastProbeTime: null, lastTransitionTime, ...report };
  return {
    ...status,
    conditions:
      before === undefined
        ? [...conditions, condition]
        : conditions.map((other) => (other === before ? { ...before, ...condition } : other)),
  };
}
