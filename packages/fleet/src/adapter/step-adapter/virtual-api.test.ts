import { s } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { fleetKind } from "./fleet-kind.ts";
import { VirtualApi } from "./virtual-api.ts";

const Cluster = fleetKind({ kind: "Cluster", spec: s.object({ region: s.string() }) });
const OURS = "/apis/fleet.levelset.dev/v1/clusters";

/** The API of a kind with one object, in front of a server that records its requests. */
class Front {
  readonly passed: string[] = [];
  readonly api = new VirtualApi(Cluster, async (request) => {
    this.passed.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({ beyond: true });
  });

  constructor() {
    const metadata = { name: "c1", uid: "c1", resourceVersion: "0", finalizers: ["ours"] };
    const object = { apiVersion: "fleet.levelset.dev/v1", kind: "Cluster", metadata, spec: { region: "eu" } };
    this.api.put(object);
  }

  async send(method: string, path: string, body?: JsonObject, type = "application/json"): Promise<Response> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } };
    return this.api.fetch(new Request(`http://cluster.test${path}`, { method, ...init }));
  }

  patch(path: string, body: JsonObject): Promise<Response> {
    return this.send("PATCH", path, body, "application/merge-patch+json");
  }
}

describe("a request for another kind", () => {
  test.each([
    ["POST", "/apis/argoproj.io/v1alpha1/namespaces/default/eventsources", { kind: "EventSource" }],
    ["POST", "/api/v1/namespaces/events/configmaps", { kind: "ConfigMap" }],
    ["POST", "/api/v1/namespaces/default/events", { involvedObject: { apiVersion: "v1", kind: "ConfigMap" } }],
    ["GET", "/api/v1/namespaces/default/events", undefined],
  ])("reaches the cluster: %s %s", async (method, path, body) => {
    const front = new Front();
    expect(await (await front.send(method, path, body)).json()).toEqual({ beyond: true });
    expect(front.passed).toEqual([`${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}`]);
  });

  test("does not reach the cluster if it is an Event about an object of the kind", async () => {
    const front = new Front();
    const involvedObject = { apiVersion: "fleet.levelset.dev/v1", kind: "Cluster", name: "c1" };
    const event = { metadata: { name: "e", namespace: "default" }, involvedObject };
    const response = await front.send("POST", "/api/v1/namespaces/default/events", event);
    expect([response.status, await response.json()]).toEqual([201, event]);
    expect(front.passed).toEqual([]);
  });
});

describe("a write", () => {
  test("of the status changes nothing else, and a write of the object changes only its metadata", async () => {
    const front = new Front();
    const change = { metadata: { finalizers: [] }, spec: { region: "us" }, status: { seen: 1 } };
    expect((await front.patch(`${OURS}/c1/status`, change)).status).toBe(200);
    expect(front.api.get("c1")).toMatchObject({
      metadata: { finalizers: ["ours"] },
      spec: { region: "eu" },
      status: { seen: 1 },
    });
    expect((await front.patch(`${OURS}/c1`, { ...change, status: { seen: 2 } })).status).toBe(200);
    expect(front.api.get("c1")).toMatchObject({
      metadata: { finalizers: [] },
      spec: { region: "eu" },
      status: { seen: 1 },
    });
  });

  test("with an outdated resourceVersion is rejected", async () => {
    const front = new Front();
    const { resourceVersion = "" } = front.api.get("c1")?.metadata ?? {};
    const guarded = { metadata: { resourceVersion }, status: { seen: 1 } };
    expect((await front.patch(`${OURS}/c1/status`, guarded)).status).toBe(200);
    expect((await front.patch(`${OURS}/c1/status`, guarded)).status).toBe(409);
  });

  test("of a missing object is rejected", async () => {
    const front = new Front();
    front.api.remove("c1");
    expect((await front.patch(`${OURS}/c1`, {})).status).toBe(404);
    expect((await front.send("PUT", OURS)).status).toBe(405);
    expect((await front.send("GET", `${OURS}/c1/scale`)).status).toBe(404);
  });
});

test("a watch from an outdated resourceVersion gets an ERROR event and ends", async () => {
  const front = new Front();
  const response = await front.send("GET", `${OURS}?watch=true&resourceVersion=1`);
  expect(await response.json()).toMatchObject({ type: "ERROR", object: { code: 410 } });
});
