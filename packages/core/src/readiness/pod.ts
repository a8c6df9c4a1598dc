import type { KubeObject } from "../object/index.ts";
import { conditionOf, failed, loose, part, progressing, readyBecause, text, wordsOf } from "./readiness.ts";
import type { Loose, Readiness } from "./readiness.ts";

/** Reasons of a waiting container that time alone does not mend. */
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

/** Pods: running and ready, or run to their end. */
export function podReadiness(object: KubeObject): Readiness {
  const status = part(object, "status");
  const phase = text(status, "phase");
  if (phase === "Succeeded") return readyBecause("it ran to its end");
  if (phase === "Failed") {
    const reason = text(status, "reason");
    return failed(reason || phase, text(status, "message") || reason || exitOf(status) || "it failed");
  }
  const waiting = waitingContainer(status);
  if (waiting !== undefined && STUCK.has(waiting.reason)) {
    const stuck = `container ${waiting.name}: ${waiting.reason}${waiting.message === "" ? "" : `: ${waiting.message}`}`;
    return failed(waiting.reason, stuck);
  }
  const ready = conditionOf(object, "Ready");
  if (phase === "Running" && ready?.["status"] === "True") return readyBecause("running and ready");
  const scheduled = conditionOf(object, "PodScheduled");
  if (scheduled?.["status"] === "False") return progressing(`not scheduled: ${wordsOf(scheduled)}`);
  if (waiting !== undefined) return progressing(`container ${waiting.name}: ${waiting.reason}`);
  if (ready !== undefined && text(ready, "message") !== "") return progressing(text(ready, "message"));
  return progressing(phase === "" ? "not observed yet" : phase === "Running" ? "running, but not ready" : phase);
}

interface Waiting {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

function waitingContainer(status: Loose): Waiting | undefined {
  for (const container of [...statuses(status, "initContainerStatuses"), ...statuses(status, "containerStatuses")]) {
    const waiting = part(container["state"], "waiting");
    const reason = text(waiting, "reason");
    if (reason !== "") return { name: text(container, "name"), reason, message: text(waiting, "message") };
  }
  return undefined;
}

function exitOf(status: Loose): string | undefined {
  for (const container of statuses(status, "containerStatuses")) {
    const { exitCode } = part(container["state"], "terminated");
    if (typeof exitCode === "number" && exitCode !== 0)
      return `container ${text(container, "name")} exited with ${exitCode}`;
  }
  return undefined;
}

function statuses(status: Loose, name: string): readonly Loose[] {
  const list = status[name];
  return Array.isArray(list) ? list.map(loose) : [];
}
