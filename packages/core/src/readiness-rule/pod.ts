import type { KubeObject } from "../object/index.ts";
import {
  findRawCondition,
  failedWith,
  asRecord,
  recordField,
  progressingWith,
  readyWith,
  stringField,
  conditionMessage,
} from "./readiness.ts";
import type { UnknownRecord, Readiness } from "./readiness.ts";

/** Reasons of a waiting container that do not resolve without a change. */
const STUCK = new Set([
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "ErrImagePull",
  "ErrImageNeverPull",
  "InvalidImageName",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

/** Pods: running and ready, or completed. */
export function podReadiness(object: KubeObject): Readiness {
  const status = recordField(object, "status");
  const phase = stringField(status, "phase");
  if (phase === "Succeeded") return readyWith("completed");
  if (phase === "Failed") {
    const reason = stringField(status, "reason");
    return failedWith(reason || phase, stringField(status, "message") || reason || exitOf(status) || "the pod failed");
  }
  const waiting = waitingContainer(status);
  if (waiting !== undefined && STUCK.has(waiting.reason)) {
    const stuck = `container ${waiting.name}: ${waiting.reason}${waiting.message === "" ? "" : `: ${waiting.message}`}`;
    return failedWith(waiting.reason, stuck);
  }
  const ready = findRawCondition(object, "Ready");
  if (phase === "Running" && ready?.["status"] === "True") return readyWith("running and ready");
  const scheduled = findRawCondition(object, "PodScheduled");
  if (scheduled?.["status"] === "False") return progressingWith(`not scheduled: ${conditionMessage(scheduled)}`);
  if (waiting !== undefined) return progressingWith(`container ${waiting.name}: ${waiting.reason}`);
  if (ready !== undefined && stringField(ready, "message") !== "")
    return progressingWith(stringField(ready, "message"));
  return progressingWith(phase === "" ? "not observed yet" : phase === "Running" ? "running, but not ready" : phase);
}

interface Waiting {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

function waitingContainer(status: UnknownRecord): Waiting | undefined {
  for (const container of [...statuses(status, "initContainerStatuses"), ...statuses(status, "containerStatuses")]) {
    const waiting = recordField(container["state"], "waiting");
    const reason = stringField(waiting, "reason");
    if (reason !== "")
      return { name: stringField(container, "name"), reason, message: stringField(waiting, "message") };
  }
  return undefined;
}

function exitOf(status: UnknownRecord): string | undefined {
  for (const container of statuses(status, "containerStatuses")) {
    const { exitCode } = recordField(container["state"], "terminated");
    if (typeof exitCode === "number" && exitCode !== 0)
      return `container ${stringField(container, "name")} exited with ${exitCode}`;
  }
  return undefined;
}

function statuses(status: UnknownRecord, name: string): readonly UnknownRecord[] {
  const list = status[name];
  return Array.isArray(list) ? list.map(asRecord) : [];
}
