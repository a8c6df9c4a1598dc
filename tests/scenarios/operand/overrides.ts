import { Deployment, Secret } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { config, deployment } from "./manifests.ts";
import { createOperand, hasCondition, makeAvailable, start, until, untilReady, updateOperand } from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

const OWN = "example.com/app:1";
const DIGEST = "operand.levelset.dev/steady-state";

interface Versions {
  readonly own?: string;
  readonly over?: string;
  readonly other?: string;
}

/** A Deployment in both lists, and another object. */
function setOf({ namespace }: Cluster, { own = OWN, over = "example.com/app:2", other = "1" }: Versions) {
  const steadyState: EmbeddedObject[] = [deployment(namespace, "web", [own]), config(namespace, "x", { other })];
  return { steadyState, postInstall: [deployment(namespace, "web", [over])] };
}

async function imageBecomes(cluster: Cluster, image: string): Promise<void> {
  await cluster.until(Deployment, "web", ({ spec }) => spec.template.spec?.containers[0]?.image === image);
  await makeAvailable(cluster, "web");
}

async function generation(cluster: Cluster): Promise<number | undefined> {
  return (await cluster.find(Deployment, "web"))?.metadata.generation;
}

/** Installs the set: the Deployment of steadyState first, then that of postInstall. */
async function installed(cluster: Cluster): Promise<void> {
  await createOperand(cluster, setOf(cluster, {}));
  await imageBecomes(cluster, OWN);
  await imageBecomes(cluster, "example.com/app:2");
  await untilReady(cluster);
  expect(await generation(cluster)).toBe(2);
}

/** Scenarios about objects of steadyState that postInstall replaces. */
export const OVERRIDES: Scenarios = {
  "an edit of another object does not roll a replaced Deployment, also after a restart": async (cluster) => {
    const running = await start(cluster);
    await installed(cluster);
    await running.stop();
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    await updateOperand(cluster, setOf(cluster, { other: "2" }));
    await untilReady(cluster);
    expect(await generation(cluster)).toBe(2);
    expect(seam.writesTo("/deployments/web")).toEqual([]);
  },

  "an edit of the replacement rolls the Deployment once": async (cluster) => {
    await start(cluster);
    await installed(cluster);
    await updateOperand(cluster, setOf(cluster, { over: "example.com/app:3", other: "2" }));
    await imageBecomes(cluster, "example.com/app:3");
    await untilReady(cluster);
    expect(await generation(cluster)).toBe(3);
  },

  "an edit of the steadyState version installs it first, then the replacement": async (cluster) => {
    await start(cluster);
    await installed(cluster);
    await updateOperand(cluster, setOf(cluster, { own: "example.com/app:4" }));
    await imageBecomes(cluster, "example.com/app:4");
    await imageBecomes(cluster, "example.com/app:2");
    await untilReady(cluster);
    expect(await generation(cluster)).toBe(4);
    await updateOperand(cluster, setOf(cluster, { own: "example.com/app:4", other: "2" }));
    await untilReady(cluster);
    expect(await generation(cluster)).toBe(4);
  },

  "an unhealthy replacement goes back to steadyState, so that a fix of it is applied": async (cluster) => {
    await start(cluster);
    await installed(cluster);
    await cluster.patchStatus(Deployment, "web", { availableReplicas: 0, readyReplicas: 0, conditions: [] });
    await updateOperand(cluster, setOf(cluster, { over: "example.com/app:3" }));
    await imageBecomes(cluster, OWN);
    await imageBecomes(cluster, "example.com/app:3");
    await untilReady(cluster);
  },

  "a replacement that is dropped, or whose object is deleted, is installed anew": async (cluster) => {
    await start(cluster);
    await installed(cluster);
    await updateOperand(cluster, { ...setOf(cluster, {}), postInstall: [] });
    await imageBecomes(cluster, OWN);
    await untilReady(cluster);
    expect((await cluster.find(Deployment, "web"))?.metadata.annotations ?? {}).not.toHaveProperty([DIGEST]);
    await updateOperand(cluster, setOf(cluster, {}));
    await imageBecomes(cluster, "example.com/app:2");
    await untilReady(cluster);
    await updateOperand(cluster, { ...setOf(cluster, {}), suspend: true });
    await until(cluster, hasCondition("OperandInstalled", "False", "Suspended"));
    await cluster.delete(Deployment, "web");
    await cluster.untilDeleted(Deployment, "web");
    await updateOperand(cluster, { ...setOf(cluster, { other: "2" }), suspend: false });
    await imageBecomes(cluster, OWN);
    await imageBecomes(cluster, "example.com/app:2");
    await untilReady(cluster);
  },

  "a Secret has no digest of the version that it replaces": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const secret = (password: string): EmbeddedObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: "s" },
      stringData: { password },
    });
    await createOperand(cluster, { steadyState: [secret("1")], postInstall: [secret("2")] });
    await untilReady(cluster);
    const found = await cluster.find(Secret, "s");
    expect(found?.data).toEqual({ password: "Mg==" });
    expect(found?.metadata.annotations ?? {}).not.toHaveProperty([DIGEST]);
  },
};
