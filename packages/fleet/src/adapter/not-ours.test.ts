import { ConfigMap, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";
import { NETWORK } from "./step-adapter/network.fixture.ts";

/** A report condition that is True when an expression holds, with the message of the run. */
function condition(type: string, expression: string): JsonObject {
  return {
    type,
    status: { expression: `${expression} ? 'True' : 'False'` },
    reason: { expression: "adapter.errorReason == '' ? 'Healthy' : adapter.errorReason" },
    message: { expression: "adapter.?executionError.?message.orValue('')" },
  };
}

/** An adapter that manages the ConfigMap named in the spec. */
function naming(more: JsonObject = {}): JsonObject {
  return {
    params: [
      { name: "id", source: "event.id", required: true },
      { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}" } } },
    ],
    resources: [
      {
        name: "settings",
        manifest: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "{{ .cluster.spec.map }}", namespace: "default", labels: { of: "{{ .id }}" } },
          data: { cluster: "{{ .id }}" },
        },
        discovery: { namespace: "default", by_name: "{{ .cluster.spec.map }}" },
        lifecycle: { delete: { when: { expression: "has(cluster.deleted_time)" } } },
        ...more,
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
              condition(
                "Finalized",
                "has(cluster.deleted_time) && adapter.executionStatus == 'success' && !has(resources.settings)",
              ),
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

/** Returns reason and message of the adapter's Health condition. */
function health(harness: AdapterHarness, id: string): Promise<string> {
  return conditionText(harness, id, "Health");
}

/** Returns reason and message of one of the adapter's conditions. */
async function conditionText(harness: AdapterHarness, id: string, conditionType: string): Promise<string> {
  for await (const { conditions, progress } of harness.clusters.statuses(id)) {
    const found = (progress?.conditions ?? conditions).find(({ type }) => type === conditionType);
    return `${found?.reason}: ${found?.message}`;
  }
  return "no report";
}

async function deleteCluster(harness: AdapterHarness, id: string): Promise<void> {
  await harness.clusters.delete(id);
  await harness.advance(1_000);
  await harness.pulse(id);
}

const BY_LABELS = { discovery: { namespace: "default", by_selectors: { label_selector: { of: "{{ .id }}" } } } };

describe("an existing object that the adapter does not own", () => {
  test.each<[string, JsonObject]>([
    ["found by name", {}],
    ["found by labels", BY_LABELS],
    ["recreated on change", { recreate_on_change: true }],
    ["recreated on demand", { lifecycle: { recreate: { when: { expression: "true" } } } }],
  ])("is neither changed nor labelled nor deleted: %s", async (_, more) => {
    await using harness = await AdapterHarness.open();
    const before = await harness.cluster.create(ConfigMap, { name: "kube-root", data: { precious: "yes" } });
    await harness.startTask("network", naming(more));
    const id = await harness.create({ map: "kube-root" });
    for (let n = 0; n < 2; n += 1) {
      await harness.pulse(id);
      await harness.advance(1_000);
    }
    expect(await harness.cluster.get(ConfigMap, "kube-root")).toEqual(before);
    expect(await harness.reported(id)).toContain("Available=False Applied=False Health=False");
    expect(await health(harness, id)).toBe(
      "NotOurs: NotOurs: ConfigMap default/kube-root exists and no adapter owns it; " +
        "render another name, or set adopt: true on the resource to take it over",
    );
    await deleteCluster(harness, id);
    expect(await harness.cluster.get(ConfigMap, "kube-root")).toEqual(before);
  });

  test("does not block the deletion of the cluster", async () => {
    await using harness = await AdapterHarness.open();
    await harness.cluster.create(ConfigMap, { name: "kube-root" });
    await harness.startTask("network", naming());
    const id = await harness.create({ map: "kube-root" });
    await harness.pulse(id);
    await deleteCluster(harness, id);
    expect(await harness.resource(id)).toBeUndefined();
    expect(await harness.cluster.get(ConfigMap, "kube-root")).toBeDefined();
  });

  test("is adopted with adopt: true, and then deleted with the cluster", async () => {
    await using harness = await AdapterHarness.open();
    await harness.cluster.create(ConfigMap, { name: "kube-root", data: { theirs: "x" } });
    await harness.startTask("network", naming({ adopt: true }));
    const id = await harness.create({ map: "kube-root" });
    await harness.pulse(id);
    expect((await harness.cluster.get(ConfigMap, "kube-root"))?.data).toEqual({ cluster: id, theirs: "x" });
    expect(await harness.reported(id)).toContain("Available=True Applied=True Health=True");
    await deleteCluster(harness, id);
    expect(await harness.cluster.get(ConfigMap, "kube-root")).toBeUndefined();
    expect(await harness.resource(id)).toBeUndefined();
  });

  test("is not taken from its controller, even with adopt: true", async () => {
    await using harness = await AdapterHarness.open();
    const { uid } = (await harness.cluster.create(ConfigMap, { name: "web" })).metadata;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "web", uid, controller: true };
    const before = await harness.cluster.create(ConfigMap, { name: "kube-root", ownerReferences: [owner] });
    await harness.startTask("network", naming({ adopt: true }));
    const id = await harness.create({ map: "kube-root" });
    await harness.pulse(id);
    expect(await harness.cluster.get(ConfigMap, "kube-root")).toEqual(before);
    expect(await health(harness, id)).toContain("ConfigMap default/kube-root belongs to ConfigMap web;");
  });
});

describe("two clusters that render the same name", () => {
  test.each([false, true])(
    "report the conflict, the first keeps the object, both can be deleted (adopt: %s)",
    async (adopt) => {
      await using harness = await AdapterHarness.open();
      await harness.startTask("network", naming({ adopt }));
      const [first, second] = [await harness.create({ map: "shared" }), await harness.create({ map: "shared" })];
      for (const id of [first, second, first]) {
        await harness.pulse(id);
        await harness.advance(1_000);
      }
      expect((await harness.cluster.get(ConfigMap, "shared"))?.data).toEqual({ cluster: first });
      expect(await harness.reported(first)).toContain("Health=True");
      expect(await harness.reported(second)).toContain("Available=False Applied=False Health=False");
      expect(await health(harness, second)).toBe(
        `NotOurs: NotOurs: ConfigMap default/shared belongs to resource ${first} of adapter network; ` +
          "render another name, or delete the object or its label fleet.levelset.dev/adapter to release it",
      );
      await deleteCluster(harness, second);
      expect(await harness.resource(second)).toBeUndefined();
      expect((await harness.cluster.get(ConfigMap, "shared"))?.data).toEqual({ cluster: first });
      await deleteCluster(harness, first);
      expect(await harness.cluster.get(ConfigMap, "shared")).toBeUndefined();
      expect(await harness.resource(first)).toBeUndefined();
    },
  );

  test("of two adapters: the second does not take the object from the first", async () => {
    await using harness = await AdapterHarness.open();
    await harness.startTask("network", naming());
    const id = await harness.create({ map: "shared" });
    await harness.pulse(id);
    const before = await harness.cluster.get(ConfigMap, "shared");
    await harness.startTask("storage", naming());
    await harness.advance(1_000);
    await harness.pulse(id);
    expect(await harness.cluster.get(ConfigMap, "shared")).toEqual(before);
  });
});

test("an object made by version 0.1 is managed and deleted as before", async () => {
  await using harness = await AdapterHarness.open();
  await harness.startTask("network", naming());
  const id = await harness.create({ map: "old" });
  await harness.cluster.create(ConfigMap, {
    name: "old",
    labels: { "fleet.levelset.dev/adapter": "network" },
    annotations: { "fleet.levelset.dev/resource": id },
  });
  await harness.pulse(id);
  expect((await harness.cluster.get(ConfigMap, "old"))?.data).toEqual({ cluster: id });
  await deleteCluster(harness, id);
  expect(await harness.cluster.get(ConfigMap, "old")).toBeUndefined();
});

test("labels that also match foreign objects: only the adapter's own objects are deleted", async () => {
  await using harness = await AdapterHarness.open();
  await harness.startTask("network", naming(BY_LABELS));
  const id = await harness.create({ map: "mine" });
  // It sorts before our object and has a higher generation: discovery by labels alone would choose it.
  const annotations = { "hyperfleet.io/generation": "9" };
  const foreign = await harness.cluster.create(ConfigMap, { name: "a-theirs", labels: { of: id }, annotations });
  await harness.pulse(id);
  expect((await harness.cluster.get(ConfigMap, "mine"))?.data).toEqual({ cluster: id });
  expect(await harness.reported(id)).toContain("Health=True");
  await deleteCluster(harness, id);
  expect(await harness.cluster.get(ConfigMap, "mine")).toBeUndefined();
  expect(await harness.cluster.get(ConfigMap, "a-theirs")).toEqual(foreign);
  expect(await harness.resource(id)).toBeUndefined();
});

test("an adapter made of steps leaves a foreign object alone, reports NotOurs, and can be deleted", async () => {
  await using harness = await AdapterHarness.open();
  const id = await harness.create();
  const before = await harness.cluster.create(Namespace, { name: `fleet-${id}`, labels: { precious: "yes" } });
  await harness.start(NETWORK);
  await harness.pulse(id);
  expect(await harness.reported(id)).toContain("Available=False Applied=False Health=True");
  expect(await conditionText(harness, id, "Available")).toMatch(
    /^NotOurs: Space: namespace\/fleet-.* does not belong to cluster/u,
  );
  await deleteCluster(harness, id);
  expect(await harness.cluster.get(Namespace, `fleet-${id}`)).toEqual(before);
  expect(await harness.resource(id)).toBeUndefined();
});
