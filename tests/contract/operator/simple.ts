import { isReady, realClock, realRandom } from "@levelset/core";
import { randomString } from "@levelset/core/internal";
import type { ObjectOf, SpecOf } from "@levelset/core";
import { installCrd } from "@levelset/operator";
import { expect } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";
import { describeContract } from "./describe-contract.ts";

/** The spec of a Simple. */
type SimpleSpec = SpecOf<typeof Simple>;

/**
 * Contract of the Simple operator over real sockets, in addition to the scenarios of `tests/scenarios/engine`. The same
 * suite runs on the embedded server and on kube-apiserver, so its assertions hold for Kubernetes.
 */
export function simpleContract(name: string, start: () => Promise<TestServer>): void {
  describeContract(`the Simple operator on ${name}`, CASES, start, async (cluster) => {
    await cluster.install(Simple);
    cluster.start(simple);
  });
}

/** Creates an object with a unique name. */
function create(cluster: Cluster, spec: SimpleSpec): Promise<ObjectOf<typeof Simple>> {
  const name = `s-${randomString(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
  return cluster.create(Simple, { metadata: { name }, spec });
}

/** Creates an object and returns its first version that is ready. */
async function createReady(cluster: Cluster, spec: SimpleSpec): Promise<ObjectOf<typeof Simple>> {
  const { name } = (await create(cluster, spec)).metadata;
  return cluster.until(Simple, name, isReady);
}

function patches({ faults }: Cluster): number {
  return faults.count(({ method }) => method === "PATCH");
}

const CASES: Readonly<Record<string, (cluster: Cluster, server: TestServer) => Promise<void>>> = {
  "settled objects are not written again, even by a second operator process": async (cluster, server) => {
    const ready = await createReady(cluster, { dividend: 9, divisor: 3 });
    await using second = await ServerCluster.connect(server);
    const before = patches(cluster);
    second.start(simple);
    // An operator reconciles existing objects before new ones.
    await createReady(cluster, { dividend: 8, divisor: 2 });
    const live = await cluster.find(Simple, ready.metadata.name);
    expect(live?.metadata.resourceVersion).toBe(ready.metadata.resourceVersion);
    // At most one write each, for the new object: the second write is rejected.
    expect(patches(second)).toBeLessThanOrEqual(1);
    expect(patches(cluster) - before).toBeLessThanOrEqual(1);
  },

  "a spec of the wrong type is rejected with the path of the field": async (cluster) => {
    // The compiler rejects both specs, but a YAML file is not compiled.
    const wrong = { dividend: "ten", divisor: 5 } as unknown as SimpleSpec;
    await expect(create(cluster, wrong)).rejects.toMatchObject({
      reason: "Invalid",
      code: 422,
      details: { kind: "Simple", causes: [{ reason: "FieldValueTypeInvalid", field: "spec.dividend" }] },
    });
    const incomplete = { dividend: 1 } as SimpleSpec;
    await expect(create(cluster, incomplete)).rejects.toMatchObject({
      details: { causes: [expect.objectContaining({ reason: "FieldValueRequired", field: "spec.divisor" })] },
    });
  },

  "installing an unchanged kind again changes nothing": async (cluster) => {
    expect(await installCrd(cluster.client, Simple, { clock: realClock })).toBe("unchanged");
  },
};
