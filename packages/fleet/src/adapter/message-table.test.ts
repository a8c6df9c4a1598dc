import { Job, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { job, jobRecord } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { ReportedStatus } from "../resource/index.ts";
import { Stage } from "./stage.fixture.ts";
import { adapter, fleetKind } from "./stepwise/index.ts";

const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu") }),
  status: s.object({ checked: jobRecord.optional() }),
});

const POD = { restartPolicy: "Never" as const, containers: [{ name: "check", image: "check:1" }] };

/** One adapter, written twice: it runs a Job for each generation, and says what the Job says. */
const IN_STEPS = adapter(Cluster, "network", [
  job(Cluster, "Check", {
    remember: "checked",
    hash: ({ object }) => object.metadata.generation,
    desired: ({ name }) => ({
      metadata: { name: `check-${name}`, namespace: "default" },
      spec: { template: { spec: POD } },
    }),
  }),
]);

const JOB_CONDITIONS = "resources.?job.?status.?conditions.orValue([])";

const IN_YAML: JsonObject = {
  params: [
    { name: "id", source: "event.id", required: true },
    { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
  ],
  resources: [
    {
      name: "job",
      manifest: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "check-{{ .id }}", namespace: "default" },
        spec: { template: { spec: POD } },
      },
      discovery: { namespace: "default", by_name: "check-{{ .id }}" },
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
            {
              type: "Available",
              status: {
                expression: `triState(conditionStatus(${JOB_CONDITIONS}, 'Complete') == 'True', conditionStatus(${JOB_CONDITIONS}, 'Failed') == 'True')`,
              },
            },
            { type: "Applied", status: "True" },
            { type: "Health", status: "True" },
          ],
        },
      },
    ],
    post_actions: [
      { name: "send", api_call: { method: "PUT", url: "/clusters/{{ .id }}/statuses", body: "{{ .report }}" } },
    ],
  },
};

const WAYS: readonly (readonly [string, (stage: Stage) => Promise<void>])[] = [
  ["in YAML", (stage) => stage.startTask("network", IN_YAML)],
  ["in steps", (stage) => stage.start(IN_STEPS)],
];

type ApiState = "none" | "older" | "same";
type TaskState = "absent" | "in progress" | "succeeded" | "failed";

/** A verdict of the adapter, as if it had been reported in another life. */
async function reportedBefore(stage: Stage, id: string, generation: number): Promise<void> {
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" as ReportedStatus }));
  const observedTime = new Date(stage.cluster.clock.now()).toISOString();
  await stage.clusters.report(id, {
    adapter: "network",
    observed_generation: generation,
    observed_time: observedTime,
    conditions,
  });
  await stage.pass(1_000);
}

/** A resource at generation 2 of which the API knows so much. */
async function resourceWith(stage: Stage, state: ApiState): Promise<string> {
  const id = await stage.create({ region: "eu" });
  if (state === "older") await reportedBefore(stage, id, 1);
  await stage.clusters.patch(id, { spec: { region: "us" } });
  if (state === "same") await reportedBefore(stage, id, 2);
  return id;
}

async function jobEnds(stage: Stage, id: string, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(stage.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await stage.cluster.patchStatus(Job, `check-${id}`, { ...counts, startTime: now, conditions }, "default");
  await stage.rest();
}

async function bringTask(stage: Stage, id: string, state: TaskState): Promise<void> {
  if (state === "absent") return;
  await stage.pulse(id);
  if (state === "succeeded") await jobEnds(stage, id, "Complete");
  if (state === "failed") await jobEnds(stage, id, "Failed");
  await stage.pass(1_000);
}

describe.each(WAYS)("an adapter %s that receives a message", (_, start) => {
  test.each<[ApiState, TaskState, string, "True" | "False"]>([
    ["none", "absent", "Unknown", "False"],
    ["none", "in progress", "Unknown", "False"],
    ["none", "succeeded", "True", "True"],
    ["none", "failed", "False", "False"],
    ["older", "absent", "Unknown", "False"],
    ["older", "in progress", "Unknown", "False"],
    ["older", "succeeded", "True", "True"],
    ["older", "failed", "False", "False"],
    // A refresh: what was true stays so until there is another result.
    ["same", "absent", "Unknown", "True"],
    ["same", "in progress", "Unknown", "True"],
    ["same", "succeeded", "True", "True"],
    ["same", "failed", "False", "False"],
  ])("API: %s, task: %s → reports %s, Ready is %s", async (apiState, taskState, available, ready) => {
    await using stage = await Stage.open({ workloads: false });
    await start(stage);
    const id = await resourceWith(stage, apiState);
    await bringTask(stage, id, taskState);
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain(`@2 Available=${available}`);
    expect(await stage.condition(id, "Ready")).toBe(ready);
    expect(await stage.cluster.list(Job)).toHaveLength(1);
  });

  test("a completed Job is not reused at the next generation", async () => {
    await using stage = await Stage.open({ workloads: false });
    await start(stage);
    const id = await resourceWith(stage, "none");
    await bringTask(stage, id, "succeeded");
    await stage.pulse(id);
    const [before] = await stage.cluster.list(Job);
    await stage.clusters.patch(id, { spec: { region: "asia" } });
    for (let n = 0; n < 3; n += 1) {
      await stage.pulse(id);
      await stage.pass(1_000);
    }
    const [after] = await stage.cluster.list(Job);
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(await stage.reported(id)).toContain("@3 Available=Unknown");
    expect(await stage.condition(id, "Available")).toBe("True");
  });
});
