import { describe, expect, test } from "vitest";
import { readinessOf } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

function object(apiVersion: string, kind: string, fields: Fields, metadata: Fields = {}) {
  const meta = { name: "a", uid: "u", resourceVersion: "1", ...metadata };
  return { apiVersion, kind, metadata: meta, ...fields };
}

const say = (apiVersion: string, kind: string, fields: Fields, metadata?: Fields): string => {
  const readiness = readinessOf(object(apiVersion, kind, fields, metadata));
  return `${readiness.kind}: ${readiness.message}`;
};

const condition = (type: string, status: string, more: Fields = {}): Fields => ({ type, status, ...more });

describe("a workload is ready when its latest spec has been rolled out", () => {
  const full = {
    observedGeneration: 2,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    conditions: [condition("Available", "True")],
  };
  const deployment = (status: Fields, replicas = 3): string =>
    say("apps/v1", "Deployment", { spec: { replicas }, status }, { generation: 2 });

  test.each([
    [full, "ready: 3 replicas available"],
    [{}, "progressing: not observed yet"],
    [{ ...full, observedGeneration: 1 }, "progressing: observed generation 1 of 2"],
    [{ ...full, updatedReplicas: 1 }, "progressing: 1 of 3 replicas updated"],
    [{ ...full, replicas: 4 }, "progressing: 1 replica of an older template left"],
    [{ ...full, availableReplicas: 2 }, "progressing: 2 of 3 updated replicas available"],
    [{ ...full, readyReplicas: 2 }, "progressing: 2 of 3 replicas ready"],
    [{ ...full, replicas: 4, updatedReplicas: 4 }, "progressing: 1 replica too many"],
    [{ ...full, conditions: [condition("Available", "False", { message: "too few" })] }, "progressing: too few"],
    [{ ...full, conditions: [] }, "ready: 3 replicas available"],
    [
      {
        ...full,
        updatedReplicas: 0,
        conditions: [condition("Progressing", "False", { reason: "ProgressDeadlineExceeded", message: "too late" })],
      },
      "failed: too late",
    ],
    [
      { ...full, updatedReplicas: 0, conditions: [condition("ReplicaFailure", "True", { message: "quota" })] },
      "progressing: 0 of 3 replicas updated: quota",
    ],
  ])("Deployment %#", (status, expected) => {
    expect(deployment(status)).toBe(expected);
  });

  test.each([
    [
      { readyReplicas: 3, updatedReplicas: 1, replicas: 4, observedGeneration: 2 },
      "progressing: 1 of 3 replicas updated",
    ],
    [
      { readyReplicas: 3, updatedReplicas: 3, replicas: 3, observedGeneration: 1 },
      "progressing: observed generation 1 of 2",
    ],
    [{ readyReplicas: 3, updatedReplicas: 3, replicas: 3, observedGeneration: 2 }, "ready: 3 replicas available"],
    [
      { readyReplicas: 3, updatedReplicas: 3, replicas: 3, unavailableReplicas: 3, observedGeneration: 2 },
      "progressing: 0 of 3 updated replicas available",
    ],
  ])("a Deployment whose status has readyReplicas but no availableReplicas (%#)", (status, expected) => {
    expect(deployment(status)).toBe(expected);
  });

  test("a Deployment scaled to zero is ready once its replicas are gone", () => {
    expect(deployment({ observedGeneration: 2 }, 0)).toBe("ready: 0 replicas available");
    expect(deployment({ ...full, replicas: 1, updatedReplicas: 1 }, 0)).toBe("progressing: 1 replica too many");
  });

  test("a paused rollout is reported", () => {
    const fields = { spec: { replicas: 3, paused: true }, status: { ...full, updatedReplicas: 0 } };
    expect(say("apps/v1", "Deployment", fields, { generation: 2 })).toBe(
      "progressing: 0 of 3 replicas updated: the Deployment is paused",
    );
  });

  test.each([
    [
      { replicas: 2, readyReplicas: 2, updatedReplicas: 2, currentRevision: "b", updateRevision: "b" },
      {},
      "ready: 2 replicas ready",
    ],
    [{ replicas: 1 }, {}, "progressing: 1 of 2 replicas created"],
    [{ replicas: 2, readyReplicas: 1 }, {}, "progressing: 1 of 2 replicas ready"],
    [{ replicas: 3, readyReplicas: 3, updatedReplicas: 3 }, {}, "progressing: 1 replica too many"],
    [{ replicas: 2, readyReplicas: 2, availableReplicas: 1 }, {}, "progressing: 1 of 2 replicas available"],
    [{ replicas: 2, readyReplicas: 2, updatedReplicas: 1 }, {}, "progressing: 1 of 2 replicas updated"],
    [
      { replicas: 2, readyReplicas: 2, updatedReplicas: 1 },
      { rollingUpdate: { partition: 1 } },
      "ready: 2 replicas ready",
    ],
    [{ replicas: 2, readyReplicas: 2 }, { type: "OnDelete" }, "ready: 2 replicas ready"],
    [
      { replicas: 2, readyReplicas: 2, updatedReplicas: 2, currentRevision: "a", updateRevision: "b" },
      {},
      "progressing: the old revision is still current",
    ],
  ])("StatefulSet %#", (status, updateStrategy, expected) => {
    const fields = { spec: { replicas: 2, updateStrategy }, status: { observedGeneration: 1, ...status } };
    expect(say("apps/v1", "StatefulSet", fields, { generation: 1 })).toBe(expected);
  });

  test.each([
    [
      {
        desiredNumberScheduled: 2,
        currentNumberScheduled: 2,
        updatedNumberScheduled: 2,
        numberAvailable: 2,
        numberReady: 2,
      },
      "ready: 2 pods available",
    ],
    [
      { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 },
      "progressing: 1 of 2 pods updated",
    ],
    [{ desiredNumberScheduled: 2, currentNumberScheduled: 1 }, "progressing: 1 of 2 pods scheduled"],
    [
      { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
      "progressing: 1 of 2 pods available",
    ],
    [
      { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
      "progressing: 0 of 2 pods ready",
    ],
    [{ desiredNumberScheduled: 0 }, "ready: 0 pods available"],
    [{}, "progressing: not observed yet"],
  ])("DaemonSet %#", (status, expected) => {
    const fields = { spec: {}, status: { observedGeneration: 1, ...status } };
    expect(say("apps/v1", "DaemonSet", fields, { generation: 1 })).toBe(expected);
  });

  const whole = { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
  test.each([
    [whole, "ready: 2 replicas available"],
    [{ replicas: 1, fullyLabeledReplicas: 1 }, "progressing: 1 of 2 replicas created"],
    [{ ...whole, availableReplicas: 1 }, "progressing: 1 of 2 replicas available"],
    [{ ...whole, readyReplicas: 1 }, "progressing: 1 of 2 replicas ready"],
    [{ ...whole, replicas: 3, fullyLabeledReplicas: 3 }, "progressing: 1 replica too many"],
    [{ ...whole, conditions: [condition("ReplicaFailure", "True", { message: "quota" })] }, "progressing: quota"],
    [{ ...whole, conditions: [condition("ReplicaFailure", "False")] }, "ready: 2 replicas available"],
  ])("ReplicaSet %#", (status, expected) => {
    const fields = { spec: { replicas: 2 }, status: { observedGeneration: 1, ...status } };
    expect(say("apps/v1", "ReplicaSet", fields, { generation: 1 })).toBe(expected);
  });

  test("a suspended Job is progressing", () => {
    expect(say("batch/v1", "Job", { spec: { suspend: true } })).toBe("progressing: suspended");
  });

  test.each([
    [{ conditions: [condition("Complete", "True")] }, "ready: complete"],
    [
      { conditions: [condition("Failed", "True", { reason: "BackoffLimitExceeded", message: "tried 6 times" })] },
      "failed: tried 6 times",
    ],
    [{}, "progressing: not started yet"],
    [{ startTime: "t", active: 1, succeeded: 1 }, "progressing: 1 of 2 pods succeeded, 1 active"],
  ])("Job %#", (status, expected) => {
    expect(say("batch/v1", "Job", { spec: { completions: 2 }, status })).toBe(expected);
  });
});

test("a failure has a machine-readable reason, that of the object if it has one", () => {
  const reasonOf = (apiVersion: string, kind: string, status: Fields): string | undefined => {
    const readiness = readinessOf(object(apiVersion, kind, { spec: {}, status }));
    return readiness.kind === "failed" ? readiness.reason : undefined;
  };
  const late = condition("Progressing", "False", { reason: "ProgressDeadlineExceeded" });
  expect(reasonOf("apps/v1", "Deployment", { observedGeneration: 1, conditions: [late] })).toBe(
    "ProgressDeadlineExceeded",
  );
  const limit = condition("Failed", "True", { reason: "BackoffLimitExceeded", message: "tried 6 times" });
  expect(reasonOf("batch/v1", "Job", { conditions: [limit] })).toBe("BackoffLimitExceeded");
  expect(reasonOf("batch/v1", "Job", { conditions: [condition("Failed", "True")] })).toBe("Failed");
  const pull = { name: "web", state: { waiting: { reason: "ImagePullBackOff" } } };
  expect(reasonOf("v1", "Pod", { phase: "Pending", containerStatuses: [pull] })).toBe("ImagePullBackOff");
  expect(reasonOf("v1", "Pod", { phase: "Failed", reason: "Evicted" })).toBe("Evicted");
  expect(reasonOf("v1", "PersistentVolumeClaim", { phase: "Lost" })).toBe("Lost");
});

describe("a pod", () => {
  const waiting = (reason: string, message = ""): Fields => ({
    phase: "Pending",
    containerStatuses: [{ name: "web", state: { waiting: { reason, message } } }],
  });
  test.each([
    [{ phase: "Running", conditions: [condition("Ready", "True")] }, "ready: running and ready"],
    [{ phase: "Succeeded" }, "ready: completed"],
    [{ phase: "Running", conditions: [condition("Ready", "False")] }, "progressing: running, but not ready"],
    [
      { phase: "Running", conditions: [condition("Ready", "False", { message: "web is not ready" })] },
      "progressing: web is not ready",
    ],
    [{ phase: "Pending" }, "progressing: Pending"],
    [waiting("ContainerCreating"), "progressing: container web: ContainerCreating"],
    [waiting("ImagePullBackOff", "web:9 not found"), "failed: container web: ImagePullBackOff: web:9 not found"],
    [
      { phase: "Pending", conditions: [condition("PodScheduled", "False", { message: "no node fits" })] },
      "progressing: not scheduled: no node fits",
    ],
    [
      { phase: "Failed", containerStatuses: [{ name: "web", state: { terminated: { exitCode: 3 } } }] },
      "failed: container web exited with 3",
    ],
    [{}, "progressing: not observed yet"],
  ])("reports why it is not ready (%#)", (status, expected) => {
    expect(say("v1", "Pod", { spec: {}, status })).toBe(expected);
  });
});

describe("other kinds", () => {
  test.each([
    ["v1", "PersistentVolumeClaim", { status: { phase: "Pending" } }, "progressing: not bound to a volume yet"],
    ["v1", "PersistentVolumeClaim", { status: { phase: "Bound" } }, "ready: bound"],
    ["v1", "PersistentVolumeClaim", { status: { phase: "Lost" } }, "failed: the volume is lost"],
    ["v1", "PersistentVolume", { status: { phase: "Available" } }, "ready: available"],
    ["v1", "PersistentVolume", { status: { phase: "Failed", message: "no recycler" } }, "failed: no recycler"],
    ["v1", "PersistentVolume", { status: { phase: "Failed" } }, "failed: Failed"],
    ["v1", "PersistentVolume", { status: { phase: "Pending" } }, "progressing: Pending"],
    ["v1", "PersistentVolume", {}, "progressing: not observed yet"],
    ["v1", "Service", { spec: { type: "ClusterIP" } }, "ready: exists"],
    ["v1", "Service", { spec: { type: "LoadBalancer" } }, "progressing: the load balancer has no address yet"],
    [
      "v1",
      "Service",
      { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [] } } },
      "progressing: the load balancer has no address yet",
    ],
    [
      "v1",
      "Service",
      { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
      "ready: the load balancer has an address",
    ],
    ["v1", "Node", {}, "progressing: no Ready condition yet"],
    ["v1", "Node", { status: { conditions: [condition("Ready", "True")] } }, "ready: Ready is True"],
    ["v1", "Node", { status: { conditions: [condition("Ready", "False", { message: "no" })] } }, "progressing: no"],
    ["v1", "Namespace", { status: { phase: "Active" } }, "ready: active"],
    ["v1", "ConfigMap", { data: {} }, "ready: exists"],
    [
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      { status: { conditions: [condition("Established", "True")] } },
      "ready: served",
    ],
    [
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      { status: { conditions: [condition("NamesAccepted", "False", { message: "taken" })] } },
      "failed: taken",
    ],
  ])("%s %s %#", (apiVersion, kind, fields, expected) => {
    expect(say(apiVersion, kind, fields)).toBe(expected);
  });

  test.each([
    [[condition("Ready", "True")], "ready: Ready is True"],
    [[condition("Ready", "False", { severity: "Info", message: "soon" })], "progressing: soon"],
    [[condition("Ready", "False", { severity: "Error", message: "division by zero" })], "failed: division by zero"],
    [[condition("Ready", "Unknown", { reason: "Init" })], "progressing: Init"],
    [[condition("Stalled", "True", { message: "stuck" }), condition("Ready", "True")], "failed: stuck"],
    [[condition("Reconciling", "True", { message: "working" })], "progressing: working"],
    [[], "ready: exists"],
  ])("custom kinds are evaluated by the conventional conditions (%#)", (conditions, expected) => {
    expect(say("x.dev/v1", "Thing", { status: { conditions } })).toBe(expected);
  });

  test("an object under deletion is not ready, and its finalizers are listed", () => {
    const metadata = { deletionTimestamp: "t", finalizers: ["x.dev/cleanup"] };
    expect(say("v1", "ConfigMap", {}, metadata)).toBe("deleting: held by x.dev/cleanup");
  });
});
