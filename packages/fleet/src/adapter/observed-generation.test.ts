import { Deployment, s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { workload } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { adapter, fleetKind } from "./step-adapter/index.ts";

const Cluster = fleetKind({ kind: "Cluster", spec: s.object({ region: s.string().default("eu") }) });

const LABELS = { app: "agent" };
const containers = (region: string) => [{ name: "agent", image: `agent:${region}` }];

/**
 * One adapter, written in both forms: it applies a Deployment whose image depends on the spec, and reports its state.
 */
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

/** Simulates the Deployment controller: it has observed this generation, and all replicas are available. */
async function rolledOut(harness: AdapterHarness, observedGeneration: number): Promise<void> {
  const lastTransitionTime = new Date(harness.cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const times = { lastTransitionTime, lastUpdateTime: lastTransitionTime };
  await harness.cluster.patchStatus(Deployment, "agent", {
    observedGeneration,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions: [{ type: "Available", status: "True", reason: "Test", message: "", ...times }],
  });
  await harness.advance(1_000);
}

describe.each<[string, (harness: AdapterHarness) => Promise<void>]>([
  ["in YAML", (harness) => harness.startTask("network", IN_YAML)],
  ["in steps", (harness) => harness.start(IN_STEPS)],
])("an adapter %s", (_, start) => {
  test("reports Unknown while its Deployment's status is of an older generation, and the fleet keeps the last verdict", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await start(harness);
    const id = await harness.create({ region: "eu" });
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("@1 Available=Unknown");
    await rolledOut(harness, 1);
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("@1 Available=True");
    await harness.advance(1_000);
    await harness.clusters.patch(id, { spec: { region: "us" } });
    await harness.pulse(id);
    expect((await harness.cluster.get(Deployment, "agent"))?.metadata.generation).toBe(2);
    expect(await harness.reported(id)).toContain("@2 Available=Unknown");
    expect([await harness.condition(id, "Ready"), await harness.condition(id, "Available")]).toEqual(["False", "True"]);
    await rolledOut(harness, 2);
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("@2 Available=True");
    expect(await harness.condition(id, "Ready")).toBe("True");
  });
});
