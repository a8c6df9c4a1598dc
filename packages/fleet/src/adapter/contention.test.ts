import { ConfigMap, Deployment } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { NETWORK } from "./step-adapter/network.fixture.ts";

function settings(name: string): JsonObject {
  const metadata = { name, namespace: "default" };
  return {
    name,
    manifest: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { region: "eu" } },
    discovery: { by_name: name },
  };
}

/** An adapter that applies two ConfigMaps and reports whether it succeeded. */
const TASK: JsonObject = {
  params: [
    { name: "id", source: "event.id", required: true },
    { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
  ],
  resources: [settings("first"), settings("second")],
  post: {
    payloads: [
      {
        name: "report",
        build: {
          adapter: "{{ .adapter.name }}",
          observed_generation: { expression: "cluster.generation" },
          observed_time: '{{ now | date "2006-01-02T15:04:05.000Z07:00" }}',
          conditions: ["Available", "Applied", "Health"].map((type) => ({
            type,
            status: { expression: "adapter.executionStatus == 'success' ? 'True' : 'False'" },
            reason: { expression: "adapter.errorReason" },
            message: { expression: "adapter.errorMessage" },
          })),
        },
      },
    ],
    post_actions: [
      { name: "send", api_call: { method: "PUT", url: "/clusters/{{ .id }}/statuses", body: "{{ .report }}" } },
    ],
  },
};

describe("a fleet resource is not Ready while another client reverts an applied object", () => {
  test("with an adapter in YAML, which still applies its other resources", async () => {
    await using harness = await AdapterHarness.open({ workloads: false });
    await harness.startTask("network", TASK);
    const id = await harness.create();
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("Available=True");
    for (let round = 0; round < 10; round++) {
      await harness.cluster.patch(ConfigMap, "first", { data: { region: "us" } });
      await harness.advance(10);
      await harness.pulse(id);
    }
    const message = /^data\.region of configmap\/first is also written by /u;
    await harness.cluster.delete(ConfigMap, "second");
    await harness.advance(10);
    const { errors } = await harness.pulse(id);
    expect(errors).toMatchObject([{ phase: "resources", step: "first", reason: "Contested" }]);
    expect(errors[0]?.message).toMatch(message);
    expect(await harness.reported(id)).toContain("Available=False");
    expect(await harness.cluster.get(ConfigMap, "second")).toBeDefined();
    expect((await harness.cluster.get(ConfigMap, "first"))?.data).toEqual({ region: "us" });
    await harness.advance(300_000);
    await harness.pulse(id);
    expect((await harness.cluster.get(ConfigMap, "first"))?.data).toEqual({ region: "eu" });
    await harness.advance(300_000);
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("Available=True");
  });

  test("with an adapter made of steps", async () => {
    await using harness = await AdapterHarness.open();
    await harness.start(NETWORK);
    const id = await harness.create();
    await harness.pulse(id);
    await harness.advance(60_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    for (let round = 0; round < 8; round++) {
      await harness.cluster.patch(Deployment, "router", { spec: { replicas: 3 } }, `fleet-${id}`);
      await harness.advance(100);
    }
    expect(await harness.reported(id)).toBe("@1 Available=False Applied=True Health=True");
    for await (const { conditions } of harness.clusters.statuses(id)) {
      expect(conditions.find(({ type }) => type === "Available")).toMatchObject({
        reason: "Contested",
        message: expect.stringMatching(/^Router: spec\.replicas of deployment\/router is also written by /u) as unknown,
      });
    }
    await harness.advance(300_000);
    expect(await harness.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });
});
