import { Deployment, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { workload } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";
import { adapter, fleetKind } from "./stepwise/index.ts";

const Cluster = fleetKind({ kind: "Cluster", spec: s.object({ region: s.string().default("eu") }) });

const LABELS = { app: "agent" };
const containers = (region: string) => [{ name: "agent", image: `agent:${region}` }];

/** One adapter, written twice: it applies a Deployment whose image follows from the spec, and reports its state. */
const IN_STEPS = adapter(Cluster, "network", [
  workload(Cluster, "Agent", {
    kind: Deployment,
    desired: ({ object }) => ({
      metadata: { name: "agent", namespace: "default" },
      spec: {
        replicas: 1,
        selector: { matchLabels: LABELS },
        template: { metadata: { labels: LABELS }, spec: { containers: containers(object.spec.region) } },
      },
    }),
  }),
]);

const IS_CURRENT =
  "resources.?agent.?status.?observedGeneration.orValue(0) == resources.?agent.?metadata.?generation.orValue(1)";
const CONDITIONS = "resources.?agent.?status.?conditions.orValue([])";
const is = (type: string, status: string): string =>
  `${IS_CURRENT} && conditionStatus(${CONDITIONS}, '${type}') == '${status}'`;

const IN_YAML: JsonObject = {
  params: [
    { name: "id", source: "event.id", required: true },
    { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
    { name: "region", source: "cluster.spec.region" },
  ],
  resources: [
    {
      name: "agent",
      manifest: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "agent", namespace: "default" },
        spec: {
          replicas: 1,
          selector: { matchLabels: LABELS },
          template: { metadata: { labels: LABELS }, spec: { containers: containers("{{ .region }}") } },
        },
      },
      discovery: { namespace: "default", by_name: "agent" },
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
              status: { expression: `triState(${is("Available", "True")}, ${is("Progressing", "False")})` },
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

/** The controller of Deployments has seen this generation, and all of it is available. */
async function rolledOut(stage: Stage, observedGeneration: number): Promise<void> {
  const lastTransitionTime = new Date(stage.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const times = { lastTransitionTime, lastUpdateTime: lastTransitionTime };
  await stage.cluster.patchStatus(Deployment, "agent", {
    observedGeneration,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions: [{ type: "Available", status: "True", reason: "Test", message: "", ...times }],
  });
  await stage.pass(1_000);
}

describe.each<[string, (stage: Stage) => Promise<void>]>([
  ["in YAML", (stage) => stage.startTask("network", IN_YAML)],
  ["in steps", (stage) => stage.start(IN_STEPS)],
])("an adapter %s", (_, start) => {
  test("reports Unknown while the status of its Deployment is of an older generation, and the fleet keeps what it knew", async () => {
    await using stage = await Stage.open({ workloads: false });
    await start(stage);
    const id = await stage.create({ region: "eu" });
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("@1 Available=Unknown");
    await rolledOut(stage, 1);
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("@1 Available=True");
    await stage.pass(1_000);
    await stage.clusters.patch(id, { spec: { region: "us" } });
    await stage.pulse(id);
    expect((await stage.cluster.get(Deployment, "agent"))?.metadata.generation).toBe(2);
    expect(await stage.reported(id)).toContain("@2 Available=Unknown");
    expect([await stage.condition(id, "Ready"), await stage.condition(id, "Available")]).toEqual(["False", "True"]);
    await rolledOut(stage, 2);
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("@2 Available=True");
    expect(await stage.condition(id, "Ready")).toBe("True");
  });
});
