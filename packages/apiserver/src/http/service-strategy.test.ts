import { expect, test } from "vitest";
import { asArray, asRecord } from "../resource/json-access.ts";
import { ApiHarness } from "./api.fixture.ts";
import type { TestObject } from "./api.fixture.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const PORTS = [{ port: 80 }];
const service = (name: string, spec: object = {}): object => ({ metadata: { name }, spec: { ports: PORTS, ...spec } });
const nodePorts = (seen: TestObject): readonly unknown[] =>
  asArray(seen.spec?.["ports"]).map((port) => asRecord(port)["nodePort"]);

test("a service gets a cluster IP, and the same one if it is recreated", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", SERVICES, service("a"));
  expect(body.spec).toMatchObject({
    type: "ClusterIP",
    clusterIP: expect.stringMatching(/^10\.(?:9[6-9]|10\d|11[01])\./u),
    clusterIPs: [body.spec?.["clusterIP"]],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    internalTrafficPolicy: "Cluster",
    sessionAffinity: "None",
    ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
  });
  await api.call("DELETE", `${SERVICES}/a`);
  expect((await api.call("POST", SERVICES, service("a"))).body.spec?.["clusterIP"]).toBe(body.spec?.["clusterIP"]);
});

test("services created concurrently get distinct addresses and node ports", async () => {
  const api = new ApiHarness();
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) => api.call("POST", SERVICES, service(`s-${n}`, { type: "NodePort" }))),
  );
  expect(new Set(made.map(({ body }) => body.spec?.["clusterIP"])).size).toBe(50);
  expect(new Set(made.flatMap(({ body }) => nodePorts(body))).size).toBe(50);
});

test("an allocated address or node port is rejected", async () => {
  const api = new ApiHarness();
  const given = { type: "NodePort", clusterIP: "10.96.0.20", ports: [{ port: 80, nodePort: 30_080 }] };
  expect((await api.call("POST", SERVICES, service("a", given))).code).toBe(201);
  const address = await api.call("POST", SERVICES, service("b", { clusterIP: "10.96.0.20" }));
  expect(address.body.message).toContain("failed to allocate IP 10.96.0.20: provided IP is already allocated");
  const port = await api.call(
    "POST",
    SERVICES,
    service("b", { type: "NodePort", ports: [{ port: 1, nodePort: 30_080 }] }),
  );
  expect(port.body.details?.causes?.[0]).toMatchObject({
    field: "spec.ports[0].nodePort",
    message: "Invalid value: 30080: provided port is already allocated",
  });
});

test("allocated addresses and ports stay, and are released with a change of type", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", SERVICES, service("a", { type: "NodePort" }));
  const address = body.spec?.["clusterIP"];
  const again = await api.call("PUT", `${SERVICES}/a`, service("a", { type: "NodePort" }));
  expect(again.body.spec?.["clusterIP"]).toBe(address);
  expect(nodePorts(again.body)).toEqual(nodePorts(body));
  const moved = await api.merge(`${SERVICES}/a`, { spec: { clusterIP: "10.96.0.99", clusterIPs: ["10.96.0.99"] } });
  expect(moved.body.message).toContain("may not change once set");
  const plain = await api.merge(`${SERVICES}/a`, { spec: { type: "ClusterIP" } });
  expect(nodePorts(plain.body)).toEqual([undefined]);
  const external = await api.merge(`${SERVICES}/a`, { spec: { type: "ExternalName", externalName: "a.b" } });
  expect(external.body.spec).not.toHaveProperty("clusterIP");
});

test.each([
  [{ ports: [] }, "spec.ports"],
  [{ type: "Magic" }, "spec.type"],
  [{ clusterIP: "None", type: "LoadBalancer" }, "spec.clusterIPs[0]"],
  [{ ports: [{ port: 1 }, { port: 2 }] }, "spec.ports[0].name"],
  [{ type: "NodePort", ports: [{ port: 1, nodePort: 80 }] }, "spec.ports[0].nodePort"],
  [{ ipFamilyPolicy: "RequireDualStack" }, "spec.ipFamilyPolicy"],
])("a service with %j is rejected at %s", async (spec, field) => {
  const { code, body } = await new ApiHarness().call("POST", SERVICES, service("a", spec));
  expect([code, body.details?.causes?.[0]?.field]).toEqual([422, field]);
});
