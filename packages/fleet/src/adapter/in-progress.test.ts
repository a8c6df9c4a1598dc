import { ConfigMap, Deployment, Job } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ScriptedApi, run } from "./run/run.fixture.ts";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { NETWORK } from "./step-adapter/network.fixture.ts";

const LABELS = { app: "router" };

/** A task with a Deployment or another resource whose conditions ignore generations. */
function reporting(available: JsonValue, resource: JsonObject = {}): JsonObject {
  return {
    params: [
      { name: "id", source: "event.id", required: true },
      { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
    ],
    resources: [
      {
        name: "router",
        manifest: {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "router", namespace: "default" },
          spec: {
            replicas: 1,
            selector: { matchLabels: LABELS },
            template: {
              metadata: { labels: LABELS },
              spec: { containers: [{ name: "router", image: "router:{{ .cluster.generation }}" }] },
            },
          },
        },
        discovery: { namespace: "default", by_name: "router" },
        lifecycle: { delete: { when: { expression: "has(cluster.deleted_time)" } } },
        ...resource,
      },
    ],
    post: {
      payloads: [
        {
          name: "report",
          build: {
            adapter: "{{ .adapter.name }}",
            observed_generation: { expression: "cluster.generation" },
            observed_time: '{{ now | date "2006-01-02T15:04:05.000Z07:00" }}',
            conditions: [
              { type: "Available", status: available, reason: "Computed", message: "by the task" },
              { type: "Applied", status: { expression: "has(resources.router) ? 'True' : 'False'" } },
              { type: "Health", status: "True" },
              {
                type: "Finalized",
                status: { expression: "has(cluster.deleted_time) && !has(resources.router) ? 'True' : 'False'" },
              },
            ],
          },
        },
      ],
      post_actions: [
        { name: "send", api_call: { method: "PUT", url: "/clusters/{{ .id }}/statuses", body: "{{ .report }}" } },
      ],
    },
  };
}

/** Returns `status reason: message` of a condition in the last report. */
async function conditionText(harness: AdapterHarness, id: string, conditionType: string): Promise<string> {
  for await (const { conditions, progress } of harness.clusters.statuses(id)) {
    const found = (progress?.conditions ?? conditions).find(({ type }) => type === conditionType);
    return `${found?.status} ${found?.reason}: ${found?.message}`;
  }
  return "no report";
}

async function observed(harness: AdapterHarness, observedGeneration: number): Promise<void> {
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await harness.cluster.patchStatus(Deployment, "router", { observedGeneration, ...counts }, "default");
}

describe("conditions computed from a status that is not of the latest spec", () => {
  test.each(["True", "False"])(
    "are overridden: Available %s is Unknown until the status is current",
    async (computed) => {
      await using harness = await AdapterHarness.open({ workloads: false });
      await harness.startTask("network", reporting(computed));
      const id = await harness.create();
      await harness.pulse(id);
      expect(await conditionText(harness, id, "Available")).toBe(
        "Unknown Progressing: Deployment default/router: generation 1 is not observed yet",
      );
      await observed(harness, 1);
      await harness.advance(1_000);
      await harness.pulse(id);
      expect(await conditionText(harness, id, "Available")).toBe(`${computed} Computed: by the task`);
      await harness.clusters.patch(id, { spec: { region: "us" } });
      await harness.pulse(id);
      expect(await conditionText(harness, id, "Available")).toBe(
        "Unknown Progressing: Deployment default/router: observed generation 1 of 2",
      );
      expect(await harness.condition(id, "Available")).toBe(computed);
      await observed(harness, 2);
      await harness.advance(1_000);
      await harness.pulse(id);
      expect(await harness.reported(id)).toBe(`@2 Available=${computed} Applied=True Health=True Finalized=False`);
    },
  );

  test("are reported where the task declares that the resource is never in progress", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await harness.startTask("network", reporting("True", { in_progress: { expression: "false" } }));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await conditionText(harness, id, "Available")).toBe("True Computed: by the task");
  });

  test("are decided by the task's own rule where it has one", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    const expression = "object.status.?availableReplicas.orValue(0) < object.spec.replicas";
    await harness.startTask("network", reporting("True", { in_progress: { expression } }));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await conditionText(harness, id, "Available")).toBe(
      `Unknown Progressing: Deployment default/router: ${expression} is true`,
    );
    await observed(harness, 1);
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await conditionText(harness, id, "Available")).toBe("True Computed: by the task");
  });

  test("are reported for a kind without an observed generation", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    const manifest = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "router", namespace: "default" },
      data: { of: "{{ .id }}" },
    };
    await harness.startTask("network", reporting("True", { manifest }));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await conditionText(harness, id, "Available")).toBe("True Computed: by the task");
  });
});

test("an adapter made of steps reports Unknown while a workload's status is of an older generation", async () => {
  await using harness = await AdapterHarness.open({ workloads: false });
  await harness.start(NETWORK);
  const id = await harness.create({ region: "eu" });
  const ready = async (observedGeneration: number): Promise<void> => {
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    await harness.cluster.patchStatus(Deployment, "router", { observedGeneration, ...counts }, `fleet-${id}`);
    await harness.advance(1_000);
  };
  await harness.pulse(id);
  await ready(1);
  expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  await harness.clusters.patch(id, { spec: { region: "us" } });
  await harness.pulse(id);
  expect(await harness.reported(id)).toBe("@2 Available=Unknown Applied=True Health=True");
  expect(await conditionText(harness, id, "Available")).toContain("observed generation 1 of 2");
  await ready(2);
  expect(await harness.reported(id)).toBe("@2 Available=True Applied=True Health=True");
});

/** Like the HyperFleet configuration: the status of the Job's Complete condition, False if it is missing. */
const COMPLETE = {
  expression:
    "resources.?router.?status.?conditions.orValue([]).filter(c, c.type == 'Complete').map(c, c.status).size() > 0 ? 'True' : 'False'",
};

const JOB = {
  manifest: {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "router", namespace: "default" },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "check", image: "check:1" }] } },
    },
  },
};

async function jobEnds(harness: AdapterHarness, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(harness.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await harness.cluster.patchStatus(Job, "router", { ...counts, startTime: now, conditions }, "default");
  await harness.untilIdle();
}

describe("a task that reports False while its Job runs, like the HyperFleet one,", () => {
  test("does not make a Ready resource not ready when the Job is run again", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await harness.startTask("network", reporting(COMPLETE, JOB));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await conditionText(harness, id, "Available")).toBe(
      "Unknown Progressing: Job default/router: not started yet",
    );
    await jobEnds(harness, "Complete");
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await harness.condition(id, "Ready")).toBe("True");
    // Half an hour later the Job is run again.
    await harness.advance(31 * 60_000);
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("Available=Unknown Applied=True Health=True");
    expect(await harness.condition(id, "Ready")).toBe("True");
    await jobEnds(harness, "Failed");
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await harness.condition(id, "Ready")).toBe("False");
    expect(await harness.reported(id)).toContain("Available=False Applied=True Health=True");
  });
});

test("an object of an older generation does not count when the new manifest is rejected", async () => {
  await using harness = await AdapterHarness.open({ workloads: false });
  const metadata = { name: "router", namespace: "default", labels: { region: "{{ .cluster.spec.region }}" } };
  const available = { expression: "has(resources.router) ? 'True' : 'False'" };
  await harness.startTask(
    "network",
    reporting(available, { manifest: { apiVersion: "v1", kind: "ConfigMap", metadata } }),
  );
  const id = await harness.create({ region: "eu" });
  await harness.pulse(id);
  expect(await harness.condition(id, "Ready")).toBe("True");
  await harness.clusters.patch(id, { spec: { region: "not a label!" } });
  await harness.pulse(id);
  expect(await harness.reported(id)).toContain("@2 Available=False");
  expect(await conditionText(harness, id, "Available")).toContain("False Refused: resources: router: ");
});

describe("a run that could not determine the state of the resource", () => {
  test("reports neither Available=True nor Available=False, whatever the task computes", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    const available = { expression: "has(resources.router) ? 'True' : 'False'" };
    const configMap = {
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "router", namespace: "default" }, data: {} },
    };
    await harness.startTask("network", reporting(available, configMap));
    const id = await harness.create();
    await harness.pulse(id);
    expect(await harness.condition(id, "Ready")).toBe("True");
    harness.clusterFault = { status: "unreachable", path: /configmaps/u };
    await harness.advance(1_000);
    await harness.pulseFor(id, 120_000);
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=Unknown Health=False Finalized=False");
    expect(await conditionText(harness, id, "Health")).toMatch(
      /^False ExecutionFailed: resources: router: .*ECONNREFUSED/u,
    );
    expect(await harness.condition(id, "Ready")).toBe("True");
  });

  test("never finalizes a deletion, even if the task treats an unobserved object as deleted", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    const configMap = {
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "router", namespace: "default" }, data: {} },
    };
    await harness.startTask("network", reporting("False", configMap));
    const id = await harness.create();
    await harness.pulse(id);
    await harness.clusters.delete(id);
    harness.clusterFault = { status: 503, path: /configmaps/u };
    await harness.advance(1_000);
    await harness.pulseFor(id, 120_000);
    expect(await harness.reported(id)).toContain("Health=False Finalized=False");
    expect(await harness.resource(id)).toBeDefined();
    harness.clusterFault = undefined;
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await harness.resource(id)).toBeUndefined();
    expect(await harness.cluster.get(ConfigMap, "router")).toBeUndefined();
  });

  test("because a report expression failed still sends a report", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await harness.startTask("network", reporting({ expression: "'text' + dyn(1)" }));
    const id = await harness.create();
    const outcome = await harness.pulse(id);
    expect(outcome).toMatchObject({ status: "failed", errors: [{ phase: "post_actions", step: "report" }] });
    expect(await harness.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    expect(await conditionText(harness, id, "Health")).toMatch(/^False ExpressionFailed: post: report: /u);
  });

  test("because a report expression failed too shows both failures", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    const task = reporting({ expression: "'text' + dyn(1)" });
    await harness.startTask("network", task);
    const id = await harness.create();
    harness.clusterFault = { status: 403, path: /deployments/u };
    const { errors } = await harness.pulse(id);
    expect(errors.map(({ phase, step }) => `${phase} ${step}`)).toEqual(["resources router", "post_actions report"]);
    const text = await conditionText(harness, id, "Health");
    expect(text).toMatch(/^False ExpressionFailed: resources: router: .+; post: report: /u);
  });
});

describe("a resource of an HTTP API", () => {
  const task = (http: JsonObject): JsonObject => ({
    params: [{ name: "cluster", source: { api_call: { method: "GET", url: "/clusters/c1" } } }],
    resources: [
      {
        name: "record",
        transport: {
          client: "http",
          http: {
            observe: { method: "GET", url: "http://dns.test/r" },
            apply: { method: "PUT", url: "http://dns.test/r", body: "{}" },
            ...http,
          },
        },
      },
    ],
    post: {
      payloads: [
        {
          name: "report",
          build: {
            adapter: "{{ .adapter.name }}",
            observed_generation: { expression: "cluster.generation" },
            conditions: [{ type: "Available", status: "True" }],
          },
        },
      ],
      post_actions: [{ name: "send", api_call: { method: "PUT", url: "/statuses", body: "{{ .report }}" } }],
    },
  });

  async function conditions(http: JsonObject, dns: Record<string, JsonValue | readonly JsonValue[]>): Promise<unknown> {
    const api = new ScriptedApi({ "GET /clusters/c1": { id: "c1", generation: 1 }, "PUT /statuses": {}, ...dns });
    await run({ task: task(http), api });
    const [body] = api.bodies("PUT", "/statuses");
    const list = (body as { readonly conditions: readonly { readonly type: string; readonly status: string }[] })
      .conditions;
    return list.map(({ type, status }) => `${type}=${status}`).join(" ");
  }

  test.each<[string, JsonObject, Record<string, JsonValue | readonly JsonValue[]>, string]>([
    [
      "whose request is answered with 202 is in progress",
      {},
      { "GET http://dns.test/r": { ip: "1" }, "PUT http://dns.test/r": 202 },
      "Available=Unknown Applied=True Health=True",
    ],
    [
      "that is observed with status 202 is in progress",
      {},
      { "GET http://dns.test/r": 202 },
      "Available=Unknown Applied=True Health=True",
    ],
    [
      "that its own rule declares in progress is in progress",
      { in_progress: { expression: "response.state == 'pending'" } },
      { "GET http://dns.test/r": { state: "pending" } },
      "Available=Unknown Applied=True Health=True",
    ],
    [
      "that its own rule does not declare in progress is not in progress, whatever the HTTP status",
      { in_progress: { expression: "false" } },
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 202 },
      "Available=True Applied=True Health=True",
    ],
    [
      "whose request is rejected has not reached its goal",
      {},
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 422 },
      "Available=False Applied=False Health=True",
    ],
    [
      "whose API returns 503 has an unknown state",
      {},
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 503 },
      "Available=Unknown Applied=Unknown Health=False",
    ],
  ])("%s", async (_, http, dns, expected) => {
    expect(await conditions(http, dns)).toBe(expected);
  });
});
