import { CONTAINER, LATE, LONG_AGO, namespacedPath, tableCase } from "./table-case.ts";
import type { Body, TableCase } from "./table-case.ts";

const PODS = namespacedPath("", "pods");
const SIDECAR = { name: "log", image: "example.com/log:2", restartPolicy: "Always" };
const INIT = { name: "init", image: "example.com/init:3" };

const running = { state: { running: { startedAt: LATE } }, ready: true, started: true };
const ended = (exitCode: number, extra: Body = {}): Body => ({
  state: { terminated: { exitCode, startedAt: LATE, finishedAt: LATE, ...extra } },
  ready: false,
});
const waiting = (reason: string): Body => ({ state: { waiting: { reason } }, ready: false });

function container(name: string, state: Body, restartCount = 0, extra: Body = {}): Body {
  return { name, image: "i", imageID: "", restartCount, ...state, ...extra };
}

function pod(name: string, status: Body, spec: Body = {}): TableCase {
  return tableCase(PODS, name, { spec: { containers: [CONTAINER], ...spec } }, { phase: "Running", ...status });
}

const two = { containers: [CONTAINER, { ...CONTAINER, name: "b" }] };
const restartedAt = { lastState: { terminated: { exitCode: 1, startedAt: LONG_AGO, finishedAt: LONG_AGO } } };

/** Pods in every state of the STATUS column. */
export const POD_CASES: readonly TableCase[] = [
  tableCase(PODS, "fresh", { spec: { containers: [CONTAINER] } }),
  pod(
    "runs",
    { podIPs: [{ ip: "10.1.2.3" }], podIP: "10.1.2.3", containerStatuses: [container("app", running)] },
    { nodeName: "n1" },
  ),
  pod("half", { containerStatuses: [container("app", running), container("b", waiting("CrashLoopBackOff"), 3)] }, two),
  pod("restarted", { containerStatuses: [container("app", running, 5, restartedAt)] }),
  pod("pulling", { phase: "Pending", containerStatuses: [container("app", waiting("ImagePullBackOff"))] }),
  pod("done", { phase: "Succeeded", containerStatuses: [container("app", ended(0, { reason: "Completed" }))] }),
  pod("failed", { phase: "Failed", containerStatuses: [container("app", ended(2, { reason: "Error" }))] }),
  pod("exit-code", { phase: "Failed", containerStatuses: [container("app", ended(7))] }),
  pod("signal", { phase: "Failed", containerStatuses: [container("app", ended(137, { signal: 9 }))] }),
  pod("evicted", { phase: "Failed", reason: "Evicted" }),
  pod(
    "one-done",
    { containerStatuses: [container("app", ended(0, { reason: "Completed" })), container("b", running)] },
    two,
  ),
  pod(
    "one-done-ready",
    {
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [container("app", ended(0, { reason: "Completed" })), container("b", running)],
    },
    two,
  ),
  pod(
    "one-failed",
    {
      containerStatuses: [
        container("app", ended(0, { reason: "Completed" })),
        container("b", ended(3, { reason: "Error" })),
      ],
    },
    two,
  ),
  pod(
    "init-waits",
    { phase: "Pending", initContainerStatuses: [container("init", waiting("PodInitializing"))] },
    { initContainers: [INIT] },
  ),
  pod(
    "init-stuck",
    { phase: "Pending", initContainerStatuses: [container("init", waiting("ErrImagePull"), 2)] },
    { initContainers: [INIT] },
  ),
  pod(
    "init-failed",
    { phase: "Pending", initContainerStatuses: [container("init", ended(4), 1, restartedAt)] },
    { initContainers: [INIT] },
  ),
  pod(
    "init-signal",
    { phase: "Pending", initContainerStatuses: [container("init", ended(4, { signal: 15 }))] },
    { initContainers: [INIT] },
  ),
  pod(
    "init-reason",
    { phase: "Pending", initContainerStatuses: [container("init", ended(4, { reason: "OOMKilled" }))] },
    { initContainers: [INIT] },
  ),
  pod(
    "sidecar",
    {
      initContainerStatuses: [container("init", ended(0)), container("log", running, 2, restartedAt)],
      containerStatuses: [container("app", running)],
    },
    { initContainers: [INIT, SIDECAR] },
  ),
  pod(
    "sidecar-starts",
    { phase: "Pending", initContainerStatuses: [container("log", { ...running, started: false, ready: false })] },
    { initContainers: [SIDECAR] },
  ),
  pod(
    "gated",
    {
      conditions: [
        { type: "example.com/a", status: "True" },
        { type: "example.com/b", status: "False" },
      ],
    },
    { readinessGates: [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }] },
  ),
  pod("not-scheduled", {
    phase: "Pending",
    nominatedNodeName: "n9",
    conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
  }),
];
