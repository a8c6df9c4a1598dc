import { ControllerRevision, PersistentVolume, PersistentVolumeClaim, StatefulSet } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { isPodReady } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { onEachWrite, podsOf, mustGet, template } from "../workload.fixture.ts";

describe("a stateful set", () => {
  function set(spec: object = {}): Readonly<Record<string, unknown>> {
    return {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "db" },
      spec: {
        replicas: 3,
        serviceName: "db",
        selector: { matchLabels: { app: "db" } },
        template: template("db"),
        ...spec,
      },
    };
  }

  test("creates its pods in order, each after the previous one is ready", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    const firsts: [string, number][] = [];
    onEachWrite(cluster, "pods", (objects, event) => {
      if (event.kind !== "created") return;
      firsts.push([event.record.key.name, (objects as unknown as readonly Pod[]).filter(isPodReady).length]);
    });
    await cluster.apply(set());
    await cluster.advance(2000);
    expect(firsts).toEqual([
      ["db-0", 0],
      ["db-1", 1],
      ["db-2", 2],
    ]);
    expect(mustGet(cluster, StatefulSet, "db").status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    });
  });

  test("deletes its pods from the highest ordinal, one at a time", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(set());
    await cluster.advance(2000);
    const gone: string[] = [];
    onEachWrite(cluster, "pods", (_, event) => {
      if (event.kind === "deleted") gone.push(event.record.key.name);
    });
    await cluster.update(StatefulSet, "db", (old) => ({ ...old, spec: { ...old.spec, replicas: 1 } }));
    await cluster.advance(2000);
    expect(gone).toEqual(["db-2", "db-1"]);
    expect(podsOf(cluster, "db").map(({ metadata }) => metadata.name)).toEqual(["db-0"]);
  });

  test("updates from the highest ordinal down to its partition", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } }));
    await cluster.advance(2000);
    const image = (): readonly (string | undefined)[] =>
      podsOf(cluster, "db").map((pod) => pod.spec?.containers?.[0]?.image);
    await cluster.update(StatefulSet, "db", (old) => ({
      ...old,
      spec: { ...old.spec, template: template("db", { image: "web:2" }) },
    }));
    await cluster.advance(5000);
    expect(image()).toEqual(["web:1", "web:2", "web:2"]);
    expect(mustGet(cluster, StatefulSet, "db").status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2 });
    await cluster.update(StatefulSet, "db", (old) => ({
      ...old,
      spec: { ...old.spec, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } } },
    }));
    await cluster.advance(3000);
    expect(image()).toEqual(["web:2", "web:2", "web:2"]);
    const { status } = mustGet(cluster, StatefulSet, "db");
    expect(status?.currentRevision).toBe(status?.updateRevision);
    expect(cluster.names(ControllerRevision)).toHaveLength(2);
  });

  test("with Parallel creates all pods at once", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(set({ podManagementPolicy: "Parallel", ordinals: { start: 5 } }));
    await cluster.untilIdle();
    expect(podsOf(cluster, "db").map(({ metadata }) => metadata.name)).toEqual(["db-5", "db-6", "db-7"]);
  });

  test("creates a claim per pod, which is bound and retained", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    const spec = {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "any",
    };
    await cluster.apply(set({ replicas: 2, volumeClaimTemplates: [{ metadata: { name: "data" }, spec }] }));
    await cluster.advance(2000);
    expect(cluster.names(PersistentVolumeClaim)).toEqual(["data-db-0", "data-db-1"]);
    const claim = mustGet(cluster, PersistentVolumeClaim, "data-db-0");
    expect([claim.status?.phase, claim.status?.capacity]).toEqual(["Bound", { storage: "1Gi" }]);
    expect(cluster.actor.list(PersistentVolume).map(({ status }) => status?.phase)).toEqual(["Bound", "Bound"]);
    expect(podsOf(cluster, "db")[1]?.spec?.volumes).toContainEqual(
      expect.objectContaining({ name: "data", persistentVolumeClaim: { claimName: "data-db-1" } }),
    );
    await cluster.delete(StatefulSet, "db");
    await cluster.advance(1000);
    expect(cluster.names(PersistentVolumeClaim)).toEqual(["data-db-0", "data-db-1"]);
    await cluster.delete(PersistentVolumeClaim, "data-db-0");
    await cluster.advance(1000);
    expect(cluster.names(PersistentVolume)).toHaveLength(1);
  });

  test("uses the newer of two equal revisions for the update, and becomes idle", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(set({ replicas: 2 }));
    await cluster.advance(2000);
    const [original] = cluster.actor.list(ControllerRevision, "default");
    const { labels = {}, ownerReferences = [] } = original?.metadata ?? {};
    await cluster.create(ControllerRevision, {
      metadata: { name: "copy", labels, ownerReferences },
      data: original?.data ?? {},
      revision: 2,
    });
    await cluster.advance(5000);
    expect(cluster.actor.list(ControllerRevision, "default").map(({ revision }) => Number(revision))).toEqual([2, 1]);
    expect(mustGet(cluster, StatefulSet, "db").status).toMatchObject({
      currentRevision: "copy",
      updateRevision: "copy",
      updatedReplicas: 2,
    });
    const { revision: writes } = cluster.store;
    await cluster.advance(10_000);
    expect(cluster.store.revision).toBe(writes);
  });
});
