import { ConfigMap, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";

/** A report condition that is True when an expression holds. */
function condition(type: string, expression: string): JsonObject {
  return { type, status: { expression: `${expression} ? 'True' : 'False'` } };
}

/** An adapter that manages a ConfigMap in the namespace `apps` and is Finalized when it finds none. */
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

describe("a manifest with a namespace is found there, changed and deleted, although its discovery", () => {
  test.each<[string, JsonObject]>([
    ["names no namespace", { by_name: "settings" }],
    ["has a namespace of *", { namespace: "*", by_selectors: { label_selector: { of: "{{ .id }}" } } }],
    ["is by labels only", { by_selectors: { label_selector: { of: "{{ .id }}" } } }],
  ])("%s", async (_, discovery) => {
    await using harness = await AdapterHarness.open();
    await harness.cluster.create(Namespace, { name: "apps" });
    await harness.startTask("network", keeping(discovery));
    const id = await harness.create({ region: "eu" });
    await harness.pulse(id);
    expect(await harness.reported(id)).toContain("Available=True");
    await harness.clusters.patch(id, { spec: { region: "us" } });
    await harness.startTask("network", keeping(discovery));
    await harness.advance(1_000);
    await harness.pulse(id);
    expect((await harness.cluster.get(ConfigMap, "settings", "apps"))?.data).toEqual({ region: "us" });
    await harness.clusters.delete(id);
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await harness.cluster.get(ConfigMap, "settings", "apps")).toBeUndefined();
    expect(await harness.resource(id)).toBeUndefined();
  });
});
