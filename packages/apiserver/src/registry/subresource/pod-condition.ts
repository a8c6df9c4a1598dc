import { asArray, asRecord } from "../../resource/index.ts";

/** A pod condition to set. */
export interface PodConditionUpdate {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** Sets a condition in a pod's status. lastTransitionTime changes only with the condition's status. */
export function withPodCondition(
  status: Readonly<Record<string, unknown>>,
  report: PodConditionUpdate,
  now: string,
): Readonly<Record<string, unknown>> {
  const conditions = asArray(status["conditions"]).map(asRecord);
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
