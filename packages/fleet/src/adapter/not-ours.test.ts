import { ConfigMap, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Stage } from "./stage.fixture.ts";
import { NETWORK } from "./stepwise/network.fixture.ts";

/** A condition of the report that holds when an expression does, with the message of the run. */
function condition(type: string, expression: string): JsonObject {
  return {
    type,
    status: { expression: `${expression} ? 'True' : 'False'` },
    reason: { expression: "adapter.errorReason == '' ? 'Healthy' : adapter.errorReason" },
    message: { expression: "adapter.?executionError.?message.orValue('')" },
  };
}

/** An adapter that manages the ConfigMap which the spec names. */
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

/** Reason and message of the adapter's Health. */
function health(stage: Stage, id: string): Promise<string> {
  return wordsOf(stage, id, "Health");
}

/** Reason and message of a condition of the adapter. */
async function wordsOf(stage: Stage, id: string, wanted: string): Promise<string> {
  for await (const { conditions, progress } of stage.clusters.statuses(id)) {
    const found = (progress?.conditions ?? conditions).find(({ type }) => type === wanted);
    return `${found?.reason}: ${found?.message}`;
  }
  return "no report";
}

async function deleteCluster(stage: Stage, id: string): Promise<void> {
  await stage.clusters.delete(id);
  await stage.pass(1_000);
  await stage.pulse(id);
}

const BY_LABELS = { discovery: { namespace: "default", by_selectors: { label_selector: { of: "{{ .id }}" } } } };

describe("an object that exists already and is not the adapter's", () => {
  test.each<[string, JsonObject]>([
    ["found by name", {}],
    ["found by labels", BY_LABELS],
    ["recreated on change", { recreate_on_change: true }],
    ["recreated on demand", { lifecycle: { recreate: { when: { expression: "true" } } } }],
  ])("is neither changed nor labelled nor deleted: %s", async (_, more) => {
    await using stage = await Stage.open();
    const before = await stage.cluster.create(ConfigMap, { name: "kube-root", data: { precious: "yes" } });
    await stage.startTask("network", naming(more));
    const id = await stage.create({ map: "kube-root" });
    for (let n = 0; n < 2; n += 1) {
      await stage.pulse(id);
      await stage.pass(1_000);
    }
    expect(await stage.cluster.get(ConfigMap, "kube-root")).toEqual(before);
    expect(await stage.reported(id)).toContain("Available=False Applied=False Health=False");
    expect(await health(stage, id)).toBe(
      "NotOurs: NotOurs: ConfigMap default/kube-root exists and no adapter owns it; " +
        "render another name, or set adopt: true on the resource to take it over",
    );
    await deleteCluster(stage, id);
    expect(await stage.cluster.get(ConfigMap, "kube-root")).toEqual(before);
  });

  test("does not keep the cluster from being deleted", async () => {
    await using stage = await Stage.open();
    await stage.cluster.create(ConfigMap, { name: "kube-root" });
    await stage.startTask("network", naming());
    const id = await stage.create({ map: "kube-root" });
    await stage.pulse(id);
    await deleteCluster(stage, id);
    expect(await stage.resource(id)).toBeUndefined();
    expect(await stage.cluster.get(ConfigMap, "kube-root")).toBeDefined();
  });

  test("is taken over with adopt: true, and then deleted with the cluster", async () => {
    await using stage = await Stage.open();
    await stage.cluster.create(ConfigMap, { name: "kube-root", data: { theirs: "x" } });
    await stage.startTask("network", naming({ adopt: true }));
    const id = await stage.create({ map: "kube-root" });
    await stage.pulse(id);
    expect((await stage.cluster.get(ConfigMap, "kube-root"))?.data).toEqual({ cluster: id, theirs: "x" });
    expect(await stage.reported(id)).toContain("Available=True Applied=True Health=True");
    await deleteCluster(stage, id);
    expect(await stage.cluster.get(ConfigMap, "kube-root")).toBeUndefined();
    expect(await stage.resource(id)).toBeUndefined();
  });

  test("is not taken over from its controller, not even with adopt: true", async () => {
    await using stage = await Stage.open();
    const { uid } = (await stage.cluster.create(ConfigMap, { name: "web" })).metadata;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "web", uid, controller: true };
    const before = await stage.cluster.create(ConfigMap, { name: "kube-root", ownerReferences: [owner] });
    await stage.startTask("network", naming({ adopt: true }));
    const id = await stage.create({ map: "kube-root" });
    await stage.pulse(id);
    expect(await stage.cluster.get(ConfigMap, "kube-root")).toEqual(before);
    expect(await health(stage, id)).toContain("ConfigMap default/kube-root belongs to ConfigMap web;");
  });
});

describe("two clusters that render one name", () => {
  test.each([false, true])("conflict visibly, the first keeps it, both can be deleted (adopt: %s)", async (adopt) => {
    await using stage = await Stage.open();
    await stage.startTask("network", naming({ adopt }));
    const [first, second] = [await stage.create({ map: "shared" }), await stage.create({ map: "shared" })];
    for (const id of [first, second, first]) {
      await stage.pulse(id);
      await stage.pass(1_000);
    }
    expect((await stage.cluster.get(ConfigMap, "shared"))?.data).toEqual({ cluster: first });
    expect(await stage.reported(first)).toContain("Health=True");
    expect(await stage.reported(second)).toContain("Available=False Applied=False Health=False");
    expect(await health(stage, second)).toBe(
      `NotOurs: NotOurs: ConfigMap default/shared belongs to resource ${first} of adapter network; ` +
        "render another name, or delete the object or its label fleet.levelset.dev/adapter to release it",
    );
    await deleteCluster(stage, second);
    expect(await stage.resource(second)).toBeUndefined();
    expect((await stage.cluster.get(ConfigMap, "shared"))?.data).toEqual({ cluster: first });
    await deleteCluster(stage, first);
    expect(await stage.cluster.get(ConfigMap, "shared")).toBeUndefined();
    expect(await stage.resource(first)).toBeUndefined();
  });

  test("of two adapters: the second does not take it from the first", async () => {
    await using stage = await Stage.open();
    await stage.startTask("network", naming());
    const id = await stage.create({ map: "shared" });
    await stage.pulse(id);
    const before = await stage.cluster.get(ConfigMap, "shared");
    await stage.startTask("storage", naming());
    await stage.pass(1_000);
    await stage.pulse(id);
    expect(await stage.cluster.get(ConfigMap, "shared")).toEqual(before);
  });
});

test("an object made by version 0.1 is managed and deleted as before", async () => {
  await using stage = await Stage.open();
  await stage.startTask("network", naming());
  const id = await stage.create({ map: "old" });
  await stage.cluster.create(ConfigMap, {
    name: "old",
    labels: { "fleet.levelset.dev/adapter": "network" },
    annotations: { "fleet.levelset.dev/resource": id },
  });
  await stage.pulse(id);
  expect((await stage.cluster.get(ConfigMap, "old"))?.data).toEqual({ cluster: id });
  await deleteCluster(stage, id);
  expect(await stage.cluster.get(ConfigMap, "old")).toBeUndefined();
});

test("labels that match objects of others too: only the adapter's own are deleted", async () => {
  await using stage = await Stage.open();
  await stage.startTask("network", naming(BY_LABELS));
  const id = await stage.create({ map: "mine" });
  // It sorts before ours and says a higher generation: discovery by labels alone would choose it.
  const annotations = { "hyperfleet.io/generation": "9" };
  const theirs = await stage.cluster.create(ConfigMap, { name: "a-theirs", labels: { of: id }, annotations });
  await stage.pulse(id);
  expect((await stage.cluster.get(ConfigMap, "mine"))?.data).toEqual({ cluster: id });
  expect(await stage.reported(id)).toContain("Health=True");
  await deleteCluster(stage, id);
  expect(await stage.cluster.get(ConfigMap, "mine")).toBeUndefined();
  expect(await stage.cluster.get(ConfigMap, "a-theirs")).toEqual(theirs);
  expect(await stage.resource(id)).toBeUndefined();
});

test("an adapter in steps leaves a foreign object alone, reports NotOurs, and can be deleted", async () => {
  await using stage = await Stage.open();
  const id = await stage.create();
  const before = await stage.cluster.create(Namespace, { name: `fleet-${id}`, labels: { precious: "yes" } });
  await stage.start(NETWORK);
  await stage.pulse(id);
  expect(await stage.reported(id)).toContain("Available=False Applied=False Health=True");
  expect(await wordsOf(stage, id, "Available")).toMatch(
    /^NotOurs: Space: namespace\/fleet-.* does not belong to cluster/u,
  );
  await deleteCluster(stage, id);
  expect(await stage.cluster.get(Namespace, `fleet-${id}`)).toEqual(before);
  expect(await stage.resource(id)).toBeUndefined();
});
