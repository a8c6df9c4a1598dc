import { ControllerRevision, DaemonSet, Node } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { isPodReady } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { REVISION_LABEL } from "./revision.ts";
import { onEachWrite, podsOf, mustGet, template } from "../workload.fixture.ts";

describe("a daemon set", () => {
  const set = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent") },
  };

  test("has a pod on every node, including later and cordoned ones", async () => {
    using cluster = await ControllerHarness.start({ workloads: { nodes: 2 } });
    await cluster.apply(set);
    await cluster.advance(1000);
    expect(mustGet(cluster, DaemonSet, "agent").status).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2 });
    await cluster.apply({ apiVersion: "v1", kind: "Node", metadata: { name: "late" }, spec: { unschedulable: true } });
    await cluster.advance(1000);
    expect(new Set(podsOf(cluster, "agent").map((pod) => pod.spec?.nodeName))).toEqual(
      new Set(["late", "levelset-node-0", "levelset-node-1"]),
    );
    await cluster.delete(Node, "late");
    await cluster.advance(1000);
    expect(podsOf(cluster, "agent")).toHaveLength(2);
  });

  test("is updated one node at a time", async () => {
    using cluster = await ControllerHarness.start({ workloads: { nodes: 3 } });
    await cluster.apply(set);
    await cluster.advance(1000);
    let fewest = 3;
    onEachWrite(cluster, "pods", (objects) => {
      fewest = Math.min(
        fewest,
        (objects as unknown as readonly Pod[]).filter(
          (pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined,
        ).length,
      );
    });
    await cluster.update(DaemonSet, "agent", (old) => ({
      ...old,
      spec: { ...old.spec, template: template("agent", { image: "web:2" }) },
    }));
    await cluster.advance(5000);
    expect(podsOf(cluster, "agent").map((pod) => pod.spec?.containers?.[0]?.image)).toEqual([
      "web:2",
      "web:2",
      "web:2",
    ]);
    expect(mustGet(cluster, DaemonSet, "agent").status).toMatchObject({
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    });
    expect(fewest).toBe(2);
  });

  test("keeps the newer of two equal revisions, relabels its pods, and becomes idle", async () => {
    using cluster = await ControllerHarness.start({ workloads: { nodes: 2 } });
    await cluster.apply(set);
    await cluster.advance(1000);
    const [original] = cluster.actor.list(ControllerRevision, "default");
    const pods = podsOf(cluster, "agent").map(({ metadata }) => metadata.uid);
    const { labels = {}, ownerReferences = [] } = original?.metadata ?? {};
    await cluster.create(ControllerRevision, {
      metadata: { name: "copy", labels, ownerReferences },
      data: original?.data ?? {},
      revision: 2,
    });
    await cluster.advance(1000);
    const kept = cluster.actor.list(ControllerRevision, "default");
    expect(kept.map(({ metadata, revision }) => [metadata.name, Number(revision)])).toEqual([["copy", 2]]);
    const after = podsOf(cluster, "agent");
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(pods);
    expect(after.map((pod) => pod.metadata.labels?.[REVISION_LABEL])).toEqual(["copy", "copy"]);
    const { revision: writes } = cluster.store;
    await cluster.advance(10_000);
    expect(cluster.store.revision).toBe(writes);
  });
});
