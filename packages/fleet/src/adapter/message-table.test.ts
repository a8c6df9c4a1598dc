import { Job, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { job, jobRecord } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { ReportedStatus } from "../resource/index.ts";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { adapter, fleetKind } from "./step-adapter/index.ts";

const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu") }),
  status: s.object({ checked: jobRecord.optional() }),
});

const POD = { restartPolicy: "Never" as const, containers: [{ name: "check", image: "check:1" }] };

/** One adapter, written in both forms: it runs a Job per generation and reports the Job's result. */
const IN_STEPS = adapter(Cluster, "network", [
  job(Cluster, "Check", {
    statusField: "checked",
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

const WAYS: readonly (readonly [string, (harness: AdapterHarness) => Promise<void>])[] = [
  ["in YAML", (harness) => harness.startTask("network", IN_YAML)],
  ["in steps", (harness) => harness.start(IN_STEPS)],
];

type ApiState = "none" | "older" | "same";
type TaskState = "absent" | "in progress" | "succeeded" | "failed";

/** Stores a verdict of the adapter, as if an earlier process had reported it. */
async function reportedBefore(harness: AdapterHarness, id: string, generation: number): Promise<void> {
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" as ReportedStatus }));
  const observedTime = new Date(harness.cluster.clock.now()).toISOString();
  await harness.clusters.report(id, {
    adapter: "network",
    observed_generation: generation,
    observed_time: observedTime,
    conditions,
  });
  await harness.advance(1_000);
}

/** Creates a resource at generation 2 with the given report state in the API. */
async function resourceWith(harness: AdapterHarness, state: ApiState): Promise<string> {
  const id = await harness.create({ region: "eu" });
  if (state === "older") await reportedBefore(harness, id, 1);
  await harness.clusters.patch(id, { spec: { region: "us" } });
  if (state === "same") await reportedBefore(harness, id, 2);
  return id;
}

async function jobEnds(harness: AdapterHarness, id: string, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(harness.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await harness.cluster.patchStatus(Job, `check-${id}`, { ...counts, startTime: now, conditions }, "default");
  await harness.untilIdle();
}

async function bringTask(harness: AdapterHarness, id: string, state: TaskState): Promise<void> {
  if (state === "absent") return;
  await harness.pulse(id);
  if (state === "succeeded") await jobEnds(harness, id, "Complete");
  if (state === "failed") await jobEnds(harness, id, "Failed");
  await harness.advance(1_000);
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
    // A refresh: the previous verdict stands until there is a new result.
    ["same", "absent", "Unknown", "True"],
    ["same", "in progress", "Unknown", "True"],
    ["same", "succeeded", "True", "True"],
    ["same", "failed", "False", "False"],
  ])("API: %s, task: %s → reports %s, Ready is %s", async (apiState, taskState, available, ready) => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await start(harness);
    const id = await resourceWith(harness, apiState);
    await bringTask(harness, id, taskState);
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain(`@2 Available=${available}`);
    expect(await harness.condition(id, "Ready")).toBe(ready);
    expect(await harness.cluster.list(Job)).toHaveLength(1);
  });

  test("a completed Job is not reused at the next generation", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await start(harness);
    const id = await resourceWith(harness, "none");
    await bringTask(harness, id, "succeeded");
    await harness.pulse(id);
    const [before] = await harness.cluster.list(Job);
    await harness.clusters.patch(id, { spec: { region: "asia" } });
    for (let n = 0; n < 3; n += 1) {
      await harness.pulse(id);
      await harness.advance(1_000);
    }
    const [after] = await harness.cluster.list(Job);
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(await harness.reported(id)).toContain("@3 Available=Unknown");
    expect(await harness.condition(id, "Available")).toBe("True");
  });
});
