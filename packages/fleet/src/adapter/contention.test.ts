import { ConfigMap, Deployment } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";
import { NETWORK } from "./stepwise/network.fixture.ts";

function settings(name: string): JsonObject {
  const metadata = { name, namespace: "default" };
  return {
    name,
    manifest: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { region: "eu" } },
    discovery: { by_name: name },
  };
}

/** An adapter of two ConfigMaps that reports whether it succeeded. */
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

describe("a resource of the fleet is not Ready while another client changes back what was applied for it", () => {
  test("by an adapter in YAML, whose other resources are applied all the same", async () => {
    await using stage = await Stage.open({ workloads: false });
    await stage.startTask("network", TASK);
    const id = await stage.create();
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("Available=True");
    for (let round = 0; round < 10; round++) {
      await stage.cluster.patch(ConfigMap, "first", { data: { region: "us" } });
      await stage.pass(10);
      await stage.pulse(id);
    }
    const message = /^data\.region of configmap\/first is also written by /u;
    await stage.cluster.delete(ConfigMap, "second");
    await stage.pass(10);
    const { errors } = await stage.pulse(id);
    expect(errors).toMatchObject([{ phase: "resources", step: "first", reason: "Contested" }]);
    expect(errors[0]?.message).toMatch(message);
    expect(await stage.reported(id)).toContain("Available=False");
    expect(await stage.cluster.get(ConfigMap, "second")).toBeDefined();
    expect((await stage.cluster.get(ConfigMap, "first"))?.data).toEqual({ region: "us" });
    await stage.pass(300_000);
    await stage.pulse(id);
    expect((await stage.cluster.get(ConfigMap, "first"))?.data).toEqual({ region: "eu" });
    await stage.pass(300_000);
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("Available=True");
  });

  test("by an adapter made of steps", async () => {
    await using stage = await Stage.open();
    await stage.start(NETWORK);
    const id = await stage.create();
    await stage.pulse(id);
    await stage.pass(60_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
    for (let round = 0; round < 8; round++) {
      await stage.cluster.patch(Deployment, "router", { spec: { replicas: 3 } }, `fleet-${id}`);
      await stage.pass(100);
    }
    expect(await stage.reported(id)).toBe("@1 Available=False Applied=True Health=True");
    for await (const { conditions } of stage.clusters.statuses(id)) {
      expect(conditions.find(({ type }) => type === "Available")).toMatchObject({
        reason: "Contested",
        message: expect.stringMatching(/^Router: spec\.replicas of deployment\/router is also written by /u) as unknown,
      });
    }
    await stage.pass(300_000);
    expect(await stage.reported(id)).toBe("@1 Available=True Applied=True Health=True");
  });
});
