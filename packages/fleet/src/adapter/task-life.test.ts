import { ConfigMap, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";

/** A condition of the report that holds when an expression does. */
function condition(type: string, expression: string): JsonObject {
  return { type, status: { expression: `${expression} ? 'True' : 'False'` } };
}

/** An adapter that keeps a ConfigMap in the namespace `apps`, and is done with a deletion when it finds none. */
function keeping(discovery: JsonObject): JsonObject {
  const metadata = { name: "settings", namespace: "apps", labels: { of: "{{ .id }}" } };
  return {
    params: [
      { name: "id", source: "event.id", required: true },
      { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
    ],
    resources: [
      {
        name: "settings",
        manifest: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { region: "{{ .cluster.spec.region }}" } },
        discovery,
        lifecycle: { delete: { when: { expression: "has(cluster.deleted_time)" } } },
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
              condition("Available", "has(resources.settings)"),
              condition("Applied", "has(resources.settings)"),
              condition("Health", "adapter.executionStatus == 'success'"),
              condition("Finalized", "has(cluster.deleted_time) && !has(resources.settings)"),
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

describe("what a manifest puts into a namespace is found there, changed and deleted, though its discovery", () => {
  test.each<[string, JsonObject]>([
    ["names none", { by_name: "settings" }],
    ["has a star", { namespace: "*", by_selectors: { label_selector: { of: "{{ .id }}" } } }],
    ["is by labels alone", { by_selectors: { label_selector: { of: "{{ .id }}" } } }],
  ])("%s", async (_, discovery) => {
    await using stage = await Stage.open();
    await stage.cluster.create(Namespace, { name: "apps" });
    await stage.startTask("network", keeping(discovery));
    const id = await stage.create({ region: "eu" });
    await stage.pulse(id);
    expect(await stage.reported(id)).toContain("Available=True");
    await stage.clusters.patch(id, { spec: { region: "us" } });
    await stage.startTask("network", keeping(discovery));
    await stage.pass(1_000);
    await stage.pulse(id);
    expect((await stage.cluster.get(ConfigMap, "settings", "apps"))?.data).toEqual({ region: "us" });
    await stage.clusters.delete(id);
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await stage.cluster.get(ConfigMap, "settings", "apps")).toBeUndefined();
    expect(await stage.resource(id)).toBeUndefined();
  });
});
