import { controllerReference, kind, PersistentVolumeClaim, s, StatefulSet } from "@levelset/core";
import { child, ok, operator, step, workload } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: rabbitmq/cluster-operator#782 (Sieve, intermediate state). Bug: the resize is detected by the size that the
 * StatefulSet records, and the StatefulSet is deleted before the claim is resized. After a crash in between, the new
 * StatefulSet records the new size, and the claim keeps the old one. Found by: converges, needs a crash after the
 * deletion.
 */
const Queue = kind({
  group: GROUP,
  version: "v1",
  kind: "Queue",
  spec: s.object({ gigabytes: s.int32().min(1).max(1000).rule("self >= oldSelf", "a claim cannot shrink") }),
});

const SIZE = "bugs.levelset.dev/size";

function claimOf({ name, spec }: Pick<Req<typeof Queue>, "name" | "spec">) {
  return {
    metadata: { name: `data-${name}` },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: `${spec.gigabytes}Gi` } } },
  } as const;
}

const server = workload(Queue, "Server", {
  kind: StatefulSet,
  desired: ({ name, spec }) => {
    const labels = { queue: name };
    return {
      metadata: { name, annotations: { [SIZE]: `${spec.gigabytes}Gi` } },
      spec: {
        serviceName: name,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "queue:1" }] } },
      },
    };
  },
});

function buggy(): AnyOperator {
  const storage = step(Queue, "Storage", {
    owns: [PersistentVolumeClaim, StatefulSet],
    do: async (req) => {
      const { metadata, spec } = claimOf(req);
      const key = beside(req, metadata.name);
      if (req.get(PersistentVolumeClaim, key) === undefined) {
        const ownerReferences = [controllerReference(req.object)];
        await req.client.create(PersistentVolumeClaim, { metadata: { ...key, ownerReferences }, spec });
      }
      const recorded = req.get(StatefulSet, beside(req, req.name))?.metadata.annotations?.[SIZE];
      if (recorded !== undefined && recorded !== `${req.spec.gigabytes}Gi`) {
        await req.client.delete(StatefulSet, beside(req, req.name), { propagationPolicy: "Orphan" });
        await req.client.mergePatch(PersistentVolumeClaim, key, { spec: { resources: spec.resources } });
      }
      return ok();
    },
  });
  return operator(Queue, [storage, server]);
}

function fixed(): AnyOperator {
  const storage = child(Queue, "Storage", { kind: PersistentVolumeClaim, desired: claimOf });
  return operator(Queue, [storage, server]);
}

export const bug: SimulationBug = {
  name: "resize-interrupted",
  source: "https://github.com/rabbitmq/cluster-operator/issues/782",
  oracle: "converges",
  needs: "a crash after the StatefulSet is deleted, while the size changes",
  kind: Queue,
  create: (cluster) => cluster.create(Queue, { name: "a", spec: { gigabytes: 10 } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    const { cluster } = harness;
    harness.start();
    await bug.create(cluster);
    await harness.settle();
    harness.crashAt(({ method, path }) => method === "DELETE" && path.includes("/statefulsets/"));
    await cluster.patch(Queue, "a", { spec: { gigabytes: 15 } });
    await harness.settle();
    await harness.restart();
    await harness.settle();
    const claim = await cluster.get(PersistentVolumeClaim, "data-a");
    return `claim of ${String(claim?.spec?.resources?.requests?.["storage"])}`;
  },
  ends: { buggy: "claim of 10Gi", fixed: "claim of 15Gi" },
};
