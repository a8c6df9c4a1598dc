import { kind, s, Service } from "@levelset/core";
import type { NewOf, Runnable } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import { operator } from "../../manager/index.ts";
import { child } from "../index.ts";
import { FOREIGN_MANAGER, foreignWriter } from "./foreign-writer.fixture.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ port: s.int32(), name: s.string().optional() }),
});

type Ports = NonNullable<NonNullable<NewOf<typeof Service>["spec"]>["ports"]>;

/** Runs a Service with one port, which is unnamed by default. */
function shops(adopt = false): Runnable {
  return operator(Shop, [
    child(Shop, "Front", {
      condition: "FrontReady",
      kind: Service,
      adopt,
      desired: ({ spec: { port, name } }) => {
        const ports: Ports = [{ port, ...(name === undefined ? {} : { name }) }];
        return { metadata: { name: "front" }, spec: { selector: { app: "front" }, ports } };
      },
    }),
  ]);
}

const client = (cluster: TestCluster, fieldManager: string): Client =>
  new Client({ fetch: cluster.fetch, fieldManager });

/** Replaces the ports of the Service, as `kubectl edit` does. */
async function edit(cluster: TestCluster, ports: Ports): Promise<void> {
  const patch = { spec: { ports } };
  await client(cluster, "kubectl-edit").mergePatch(Service, { namespace: "default", name: "front" }, patch);
}

async function portsOf(cluster: TestCluster): Promise<readonly (number | undefined)[] | undefined> {
  const service = await cluster.get(Service, "front");
  return service?.spec?.ports?.map(({ port }) => port);
}

const isOfService: RequestFilter = ({ path }) => path.endsWith("/services/front");

async function start(shop: { readonly port: number; readonly name?: string } = { port: 80 }): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(shops());
  await cluster.create(Shop, { name: "a", spec: shop });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  return cluster;
}

describe("a port of another client that makes the ports invalid", () => {
  test("is replaced by the declared one, and only the operator owns it afterwards", async () => {
    await using cluster = await start();
    await edit(cluster, [{ port: 81 }]);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
    const owners = (await cluster.get(Service, "front"))?.metadata.managedFields ?? [];
    const holders = owners.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes("f:ports"));
    expect(holders.map(({ manager, operation }) => [manager, operation])).toEqual([["levelset-shop", "Apply"]]);
    // The operator can still remove its own port.
    await cluster.patch(Shop, "a", { spec: { port: 8080 } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await portsOf(cluster)).toEqual([8080]);
  });

  test("is replaced if it was ours before, and another client owns a part of it", async () => {
    await using cluster = await start();
    await edit(cluster, [{ port: 80, targetPort: 8080 }]);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await cluster.patch(Shop, "a", { spec: { port: 81 } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await portsOf(cluster)).toEqual([81]);
  });

  test("costs a refused apply, a read, a dry run and two writes, once", async () => {
    await using cluster = await start();
    const before = cluster.requests().length;
    await edit(cluster, [{ port: 81 }]);
    await cluster.clock.advance(3_600_000);
    const sent = cluster.requests().slice(before).filter(isOfService);
    expect(sent.map(({ method }) => method)).toEqual(["PATCH", "GET", "PATCH", "PATCH", "PATCH"]);
    expect(sent.filter(isWrite)).toHaveLength(3);
  });
});

describe("a port of another client stays", () => {
  test("if the ports are valid with it", async () => {
    await using cluster = await start({ port: 80, name: "http" });
    await edit(cluster, [
      { port: 80, name: "http" },
      { port: 81, name: "metrics" },
    ]);
    await cluster.patch(Shop, "a", { spec: { port: 8080 } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect((await portsOf(cluster))?.toSorted()).toEqual([8080, 81]);
  });

  test("if the apply is refused because of the desired state", async () => {
    await using cluster = await start({ port: 80, name: "http" });
    await edit(cluster, [
      { port: 80, name: "http" },
      { port: 81, name: "metrics" },
    ]);
    await cluster.patch(Shop, "a", { spec: { name: "not a name" } });
    const shop = await cluster.untilSettled(Shop, "a");
    expect(shop).toHaveCondition("FrontReady", "False", { severity: "Error", message: /spec\.ports\[0\]\.name/u });
    expect(await portsOf(cluster)).toEqual([80, 81]);
    const managers = (await cluster.get(Service, "front"))?.metadata.managedFields?.map(({ manager }) => manager);
    expect(managers).toContain("kubectl-edit");
  });

  test("if another server-side apply declares it", async () => {
    await using cluster = await start({ port: 80, name: "http" });
    const metadata = { namespace: "default", name: "front" };
    await client(cluster, "mesh").apply(Service, { metadata, spec: { ports: [{ port: 81, name: "mesh" }] } });
    await cluster.patch(Shop, "a", { spec: { name: null } });
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("FrontReady", "False", { severity: "Error" });
    expect(await portsOf(cluster)).toEqual([80, 81]);
  });

  test("on an object that is not the child yet", async () => {
    await using cluster = await testCluster();
    await cluster.create(Service, { name: "front", spec: { ports: [{ port: 81 }] } });
    cluster.run(shops(true));
    await cluster.create(Shop, { name: "a", spec: { port: 80 } });
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("FrontReady", "False", { severity: "Error" });
    expect(await portsOf(cluster)).toEqual([81]);
  });
});

test("a client that keeps replacing the port makes the child contested, and is answered with growing delays", async () => {
  await using cluster = await start();
  const foreign = foreignWriter(cluster, Service, ({ spec }) =>
    spec?.ports?.some(({ port }) => port === 80) === true ? { patch: { spec: { ports: [{ port: 81 }] } } } : undefined,
  );
  await cluster.clock.advance(600_000);
  const message = new RegExp(`^spec\\.ports.* of service/front .*also written by ${FOREIGN_MANAGER}: `, "u");
  expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", { reason: "Contested", message });
  expect(foreign.writes).toBeLessThanOrEqual(16);
  foreign.stop();
  await cluster.clock.advance(600_000);
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  expect(await portsOf(cluster)).toEqual([80]);
});

describe("the port is replaced although", () => {
  /** Edits the ports while requests fail. Returns the number of requests. */
  async function repair(fault: (cluster: TestCluster) => void): Promise<number> {
    await using cluster = await start();
    const before = cluster.requests().length;
    fault(cluster);
    await edit(cluster, [{ port: 81 }]);
    for (let round = 0; round < 4; round++) {
      await cluster.untilIdle();
      if (cluster.faults.isCrashed) {
        cluster.faults.restart();
        cluster.run(shops());
      }
      await cluster.clock.advance(60_000);
    }
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
    return cluster.requests().length - before;
  }

  const FAULTS: readonly Fault[] = [
    { kind: "crash" },
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "duplicate" },
    { kind: "status", reason: "InternalError" },
  ];

  test.each(FAULTS)("each request fails once: $kind", async (fault) => {
    const requests = await repair(() => {});
    expect(requests).toBeGreaterThanOrEqual(5);
    for (let nth = 1; nth <= requests; nth++) {
      await repair(({ faults }) => faults.failNth(nth, fault, (request) => !isWatch(request)));
    }
  });

  test("other clients write the Service after each request", async () => {
    await using cluster = await start();
    await edit(cluster, [{ port: 81 }]);
    let left = 3;
    foreignWriter(cluster, Service, () =>
      left-- > 0 ? { patch: { metadata: { annotations: { note: String(left) } } } } : undefined,
    );
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
  });
});
