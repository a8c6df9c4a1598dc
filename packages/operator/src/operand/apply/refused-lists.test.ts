import { Service } from "@levelset/core";
import type { EmbeddedObject, JsonObject, NewOf } from "@levelset/core";
import { isWatch } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import { FOREIGN_MANAGER, foreignWriter } from "../../steps/child/foreign-writer.fixture.ts";
import { Operand, operandManager } from "../index.ts";
import { planForOperand } from "../plan/plan.fixture.ts";

type Spec = NewOf<typeof Operand>["spec"];
type Ports = readonly (JsonObject & { readonly port: number })[];

function front(ports: Ports, annotations: JsonObject = {}): EmbeddedObject {
  const metadata = { name: "front", namespace: "default", annotations };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { selector: { app: "front" }, ports } };
}

const KEY = { namespace: "default", name: "front" };
const UNNAMED = [{ port: 80 }];

/** Replaces the ports of the Service, as `kubectl edit` does. */
async function edit(cluster: TestCluster, ports: Ports): Promise<void> {
  const client = new Client({ fetch: cluster.fetch, fieldManager: "kubectl-edit" });
  await client.mergePatch(Service, KEY, { spec: { ports } });
}

async function portsOf(cluster: TestCluster): Promise<readonly (number | undefined)[] | undefined> {
  return (await cluster.get(Service, "front"))?.spec?.ports?.map(({ port }) => port);
}

async function start(spec: Spec = { steadyState: [front(UNNAMED)] }): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(operandManager());
  await cluster.create(Operand, { name: "shop", spec });
  await cluster.untilIdle();
  await cluster.clock.advance(10_000);
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  return cluster;
}

describe("a port of another client that makes the ports of an object invalid", () => {
  test("is replaced by the declared one, and only the Operand owns it afterwards", async () => {
    await using cluster = await start();
    await edit(cluster, [{ port: 81 }]);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
    const owners = (await cluster.get(Service, "front"))?.metadata.managedFields ?? [];
    const holders = owners.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes("f:ports"));
    expect(holders.map(({ operation }) => operation)).toEqual(["Apply"]);
  });

  test("is replaced in the plan of a dry run, which writes nothing", async () => {
    await using cluster = await testCluster();
    const running = cluster.run(operandManager());
    await cluster.create(Operand, { name: "shop", spec: { steadyState: [front(UNNAMED)] } });
    await cluster.untilIdle();
    await running.stop();
    await edit(cluster, [{ port: 81 }]);
    const before = await cluster.get(Service, "front");
    const plan = await planForOperand(cluster, await cluster.untilSettled(Operand, "shop"));
    expect(plan).toMatchObject({ items: [{ action: "change", after: { spec: { ports: [{ port: 80 }] } } }] });
    expect(await cluster.get(Service, "front")).toEqual(before);
  });

  test("is replaced again and again with growing delays, and reported as contested", async () => {
    await using cluster = await start();
    const foreign = foreignWriter(cluster, Service, ({ spec }) =>
      spec?.ports?.some(({ port }) => port === 80) === true
        ? { patch: { spec: { ports: [{ port: 81 }] } } }
        : undefined,
    );
    await cluster.clock.advance(600_000);
    const message = new RegExp(`spec\\.ports.* of service/front .*also written by ${FOREIGN_MANAGER}: `, "u");
    expect(await cluster.untilSettled(Operand, "shop")).toHaveCondition("Ready", "False", {
      reason: "Contested",
      message,
    });
    expect(foreign.writes).toBeLessThanOrEqual(16);
    foreign.stop();
    await cluster.clock.advance(600_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
  });
});

describe("a port of another client stays", () => {
  test("if the ports are valid with it", async () => {
    const named = [{ port: 80, name: "http" }];
    await using cluster = await start({ steadyState: [front(named)] });
    await edit(cluster, [...named, { port: 81, name: "metrics" }]);
    await cluster.patch(Operand, "shop", { spec: { steadyState: [front([{ port: 8080, name: "http" }])] } });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect((await portsOf(cluster))?.toSorted()).toEqual([8080, 81]);
  });

  test.each<[string, Partial<Spec>]>([
    ["if fields of other managers are not overwritten", { conflicts: "Fail" }],
    ["if drift is only reported", { drift: { mode: "Report" } }],
    ["if drift of the ports is ignored", { drift: { ignore: [{ kind: "Service", fields: ["/spec/ports"] }] } }],
  ])("%s", async (_, more) => {
    await using cluster = await start({ steadyState: [front(UNNAMED)], ...more });
    await edit(cluster, [{ port: 81 }]);
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
    expect(await portsOf(cluster)).toEqual([81]);
  });

  test("on an object that the Operand has not applied yet", async () => {
    await using cluster = await testCluster();
    await cluster.create(Service, { name: "front", spec: { ports: [{ port: 81 }] } });
    cluster.run(operandManager());
    await cluster.create(Operand, { name: "shop", spec: { steadyState: [front(UNNAMED)] } });
    expect((await cluster.untilSettled(Operand, "shop")).status?.failing).toMatchObject([{ reason: "Invalid" }]);
    expect(await portsOf(cluster)).toEqual([81]);
  });

  test("if another Operand has it", async () => {
    await using cluster = await start({ steadyState: [front([{ port: 80, name: "http" }])] });
    await cluster.create(Operand, { name: "other", spec: { steadyState: [front([{ port: 81, name: "admin" }])] } });
    await cluster.clock.advance(10_000);
    expect((await portsOf(cluster))?.toSorted()).toEqual([80, 81]);
    await cluster.patch(Operand, "shop", { spec: { steadyState: [front(UNNAMED)] } });
    await cluster.clock.advance(10_000);
    expect((await cluster.untilSettled(Operand, "shop")).status?.failing).toMatchObject([{ reason: "Invalid" }]);
    expect((await portsOf(cluster))?.toSorted()).toEqual([80, 81]);
  });
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
        cluster.run(operandManager());
      }
      await cluster.clock.advance(60_000);
    }
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await portsOf(cluster)).toEqual([80]);
    return cluster.requests().length - before;
  }

  const FAULTS: readonly Fault[] = [
    { kind: "crash" },
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "status", reason: "InternalError" },
  ];

  test.each(FAULTS)("each request fails once: $kind", async (fault) => {
    const requests = await repair(() => {});
    expect(requests).toBeGreaterThanOrEqual(5);
    for (let nth = 1; nth <= Math.min(requests, 10); nth++) {
      await repair(({ faults }) => faults.failNth(nth, fault, (request) => !isWatch(request)));
    }
  });
});
