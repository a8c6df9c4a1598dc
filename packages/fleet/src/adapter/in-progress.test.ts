import { ConfigMap, Deployment, Job } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ScriptedApi, run } from "./run/run.fixture.ts";
import { Stage } from "./stage.fixture.ts";
import { NETWORK } from "./stepwise/network.fixture.ts";

const LABELS = { app: "router" };

/** A Deployment, or another resource, whose conditions the task computes without a look at any generation. */
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

/** `status reason: message` of a condition in the last report. */
async function reportedWords(stage: Stage, id: string, wanted: string): Promise<string> {
  for await (const { conditions, progress } of stage.clusters.statuses(id)) {
    const found = (progress?.conditions ?? conditions).find(({ type }) => type === wanted);
    return `${found?.status} ${found?.reason}: ${found?.message}`;
  }
  return "no report";
}

async function observed(stage: Stage, observedGeneration: number): Promise<void> {
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await stage.cluster.patchStatus(Deployment, "router", { observedGeneration, ...counts }, "default");
}

describe("what a task computes from a status that is not about the latest spec", () => {
  test.each(["True", "False"])(
    "is not reported: Available %s is Unknown until the status is current",
    async (computed) => {
      await using stage = await Stage.open({ workloads: false });
      await stage.startTask("network", reporting(computed));
      const id = await stage.create();
      await stage.pulse(id);
      expect(await reportedWords(stage, id, "Available")).toBe(
        "Unknown Progressing: Deployment default/router: generation 1 is not observed yet",
      );
      await observed(stage, 1);
      await stage.pass(1_000);
      await stage.pulse(id);
      expect(await reportedWords(stage, id, "Available")).toBe(`${computed} Computed: by the task`);
      await stage.clusters.patch(id, { spec: { region: "us" } });
      await stage.pulse(id);
      expect(await reportedWords(stage, id, "Available")).toBe(
        "Unknown Progressing: Deployment default/router: observed generation 1 of 2",
      );
      expect(await stage.condition(id, "Available")).toBe(computed);
      await observed(stage, 2);
      await stage.pass(1_000);
      await stage.pulse(id);
      expect(await stage.reported(id)).toBe(`@2 Available=${computed} Applied=True Health=True Finalized=False`);
    },
  );

  test("is reported where the task says that the resource never is in progress", async () => {
    await using stage = await Stage.open({ workloads: false });
    await stage.startTask("network", reporting("True", { in_progress: { expression: "false" } }));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await reportedWords(stage, id, "Available")).toBe("True Computed: by the task");
  });

  test("is decided by the task's own rule where it has one", async () => {
    await using stage = await Stage.open({ workloads: false });
    const expression = "object.status.?availableReplicas.orValue(0) < object.spec.replicas";
    await stage.startTask("network", reporting("True", { in_progress: { expression } }));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await reportedWords(stage, id, "Available")).toBe(
      `Unknown Progressing: Deployment default/router: ${expression} is true`,
    );
    await observed(stage, 1);
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await reportedWords(stage, id, "Available")).toBe("True Computed: by the task");
  });

  test("is reported of a kind that does not say which generation it is about", async () => {
    await using stage = await Stage.open({ workloads: false });
    const manifest = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "router", namespace: "default" },
      data: { of: "{{ .id }}" },
    };
    await stage.startTask("network", reporting("True", { manifest }));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await reportedWords(stage, id, "Available")).toBe("True Computed: by the task");
  });
});

test("an adapter in steps says Unknown while the status of a workload is about an older generation", async () => {
  await using stage = await Stage.open({ workloads: false });
  await stage.start(NETWORK);
  const id = await stage.create({ region: "eu" });
  const ready = async (observedGeneration: number): Promise<void> => {
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    await stage.cluster.patchStatus(Deployment, "router", { observedGeneration, ...counts }, `fleet-${id}`);
    await stage.pass(1_000);
  };
  await stage.pulse(id);
  await ready(1);
  expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  await stage.clusters.patch(id, { spec: { region: "us" } });
  await stage.pulse(id);
  expect(await stage.reported(id)).toBe("@2 Available=Unknown Applied=True Health=True");
  expect(await reportedWords(stage, id, "Available")).toContain("observed generation 1 of 2");
  await ready(2);
  expect(await stage.reported(id)).toBe("@2 Available=True Applied=True Health=True");
});

/** As the public configuration has it: the status of the Job's condition Complete, and False where there is none. */
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

async function jobEnds(stage: Stage, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(stage.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await stage.cluster.patchStatus(Job, "router", { ...counts, startTime: now, conditions }, "default");
  await stage.rest();
}

describe("a task that reports False while its Job runs, as the public one does,", () => {
  test("does not make a Ready resource not ready when the Job is run again", async () => {
    await using stage = await Stage.open({ workloads: false });
    await stage.startTask("network", reporting(COMPLETE, JOB));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await reportedWords(stage, id, "Available")).toBe(
      "Unknown Progressing: Job default/router: not started yet",
    );
    await jobEnds(stage, "Complete");
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await stage.condition(id, "Ready")).toBe("True");
    // Half an hour later the Job is run again.
    await stage.pass(31 * 60_000);
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("Available=Unknown Applied=True Health=True");
    expect(await stage.condition(id, "Ready")).toBe("True");
    await jobEnds(stage, "Failed");
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await stage.condition(id, "Ready")).toBe("False");
    expect(await stage.reported(id)).toContain("Available=False Applied=True Health=True");
  });
});

test("an object of an older generation does not count when the new manifest is refused", async () => {
  await using stage = await Stage.open({ workloads: false });
  const metadata = { name: "router", namespace: "default", labels: { region: "{{ .cluster.spec.region }}" } };
  const available = { expression: "has(resources.router) ? 'True' : 'False'" };
  await stage.startTask(
    "network",
    reporting(available, { manifest: { apiVersion: "v1", kind: "ConfigMap", metadata } }),
  );
  const id = await stage.create({ region: "eu" });
  await stage.pulse(id);
  expect(await stage.condition(id, "Ready")).toBe("True");
  await stage.clusters.patch(id, { spec: { region: "not a label!" } });
  await stage.pulse(id);
  expect(await stage.reported(id)).toContain("@2 Available=False");
  expect(await reportedWords(stage, id, "Available")).toContain("False Refused: resources: router: ");
});

describe("a run that could not judge", () => {
  test("claims neither that the goal is reached nor that it is not, whatever the task computes", async () => {
    await using stage = await Stage.open({ workloads: false });
    const available = { expression: "has(resources.router) ? 'True' : 'False'" };
    const configMap = {
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "router", namespace: "default" }, data: {} },
    };
    await stage.startTask("network", reporting(available, configMap));
    const id = await stage.create();
    await stage.pulse(id);
    expect(await stage.condition(id, "Ready")).toBe("True");
    stage.clusterFault = { status: "unreachable", path: /configmaps/u };
    await stage.pass(1_000);
    await stage.pulseFor(id, 120_000);
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=Unknown Health=False Finalized=False");
    expect(await reportedWords(stage, id, "Health")).toMatch(
      /^False ExecutionFailed: resources: router: .*ECONNREFUSED/u,
    );
    expect(await stage.condition(id, "Ready")).toBe("True");
  });

  test("never ends a deletion, although the task takes what it cannot see for gone", async () => {
    await using stage = await Stage.open({ workloads: false });
    const configMap = {
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "router", namespace: "default" }, data: {} },
    };
    await stage.startTask("network", reporting("False", configMap));
    const id = await stage.create();
    await stage.pulse(id);
    await stage.clusters.delete(id);
    stage.clusterFault = { status: 503, path: /configmaps/u };
    await stage.pass(1_000);
    await stage.pulseFor(id, 120_000);
    expect(await stage.reported(id)).toContain("Health=False Finalized=False");
    expect(await stage.resource(id)).toBeDefined();
    stage.clusterFault = undefined;
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await stage.resource(id)).toBeUndefined();
    expect(await stage.cluster.get(ConfigMap, "router")).toBeUndefined();
  });

  test("because an expression of the report fails says so in a report", async () => {
    await using stage = await Stage.open({ workloads: false });
    await stage.startTask("network", reporting({ expression: "'text' + dyn(1)" }));
    const id = await stage.create();
    const outcome = await stage.pulse(id);
    expect(outcome).toMatchObject({ status: "failed", errors: [{ phase: "post_actions", step: "report" }] });
    expect(await stage.reported(id)).toBe("@1 Available=Unknown Applied=True Health=False");
    expect(await reportedWords(stage, id, "Health")).toMatch(/^False ExpressionFailed: post: report: /u);
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
      "that is observed with 202 is in progress",
      {},
      { "GET http://dns.test/r": 202 },
      "Available=Unknown Applied=True Health=True",
    ],
    [
      "that its own rule calls in progress is in progress",
      { in_progress: { expression: "response.state == 'pending'" } },
      { "GET http://dns.test/r": { state: "pending" } },
      "Available=Unknown Applied=True Health=True",
    ],
    [
      "that its own rule does not call in progress is not, whatever the status of the answer",
      { in_progress: { expression: "false" } },
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 202 },
      "Available=True Applied=True Health=True",
    ],
    [
      "whose request is refused has not reached its goal",
      {},
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 422 },
      "Available=False Applied=False Health=True",
    ],
    [
      "whose API answers 503 cannot be judged",
      {},
      { "GET http://dns.test/r": {}, "PUT http://dns.test/r": 503 },
      "Available=Unknown Applied=Unknown Health=False",
    ],
  ])("%s", async (_, http, dns, expected) => {
    expect(await conditions(http, dns)).toBe(expected);
  });
});
