import { isReady, kind, Namespace, s, Secret } from "@levelset/core";
import { external, job, jobRecord, manager, operator, reference } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";

const Depot = kind({
  group: "scenarios.levelset.dev",
  version: "v1",
  kind: "Depot",
  spec: s.object({ secret: s.string() }),
  status: s.object({ backup: jobRecord.optional() }),
});

/** Scenarios about namespaces that are being deleted, with the namespace controller. */
export const NAMESPACE: Scenarios = {
  "a namespace is deleted although a cleanup needs a Job or a Secret in it": async (cluster) => {
    const namespace = `${cluster.namespace}-going`;
    const calls: string[] = [];
    const bucket = external(Depot, "Bucket", {
      reads: [reference(Depot, Secret, ({ spec }) => spec.secret)],
      observe: () => Promise.resolve({ state: "current", value: "bucket" }),
      apply: () => Promise.resolve({ state: "current", value: "bucket" }),
      delete: ({ get, spec }) => {
        const secret = get(Secret, { namespace, name: spec.secret });
        calls.push(secret === undefined ? "without password" : "with password");
        if (secret === undefined) throw new Error("no password");
        return Promise.resolve("deleting");
      },
      pollMs: 100,
    });
    const backup = job(Depot, "Backup", {
      statusField: "backup",
      phase: "cleanup",
      desired: ({ name }) => ({
        metadata: { name: `${name}-backup` },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "backup:1" }] } } },
      }),
    });
    await cluster.install(Depot);
    await cluster.create(Namespace, { metadata: { name: namespace } });
    cluster.start(manager([operator(Depot, [bucket, backup])], { namespaces: [namespace] }));
    await cluster.advanceUntil(cluster.client.create(Secret, { metadata: { name: "password", namespace } }));
    const depot = { metadata: { name: "a", namespace }, spec: { secret: "password" } };
    await cluster.advanceUntil(cluster.client.create(Depot, depot));
    const key = { namespace, name: "a" };
    await cluster.eventually("the depot is ready", async () => isReady(await cluster.client.get(Depot, key)));
    await cluster.delete(Namespace, namespace);
    await cluster.untilDeleted(Namespace, namespace, 30_000);
    expect(calls).toContain("without password");
  },
};
