import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient, RawRequestOptions } from "./raw-clients.ts";

/** A request as `METHOD path`, and its body. */
type Step = readonly [request: string, body?: JsonValue];

const NS = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const AUTHENTICATION = "/apis/authentication.k8s.io/v1";
const container = { name: "c", image: "i", resources: { requests: { cpu: "1" } } };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
const pod = (name: string): JsonValue => ({
  metadata: { name, labels: { app: name } },
  spec: { containers: [container], automountServiceAccountToken: false },
});
const workload = (name: string, replicas: number): JsonValue => ({
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { app: "a" } }, template },
});
const named = (name: string, fields: Readonly<Record<string, JsonValue>> = {}): JsonValue => ({
  metadata: { name },
  ...fields,
});

const SCENARIOS: Readonly<Record<string, readonly Step[]>> = {
  scale: [
    [`POST ${APPS}/deployments`, workload("d", 2)],
    [`GET ${APPS}/deployments/d/scale`],
    [`PUT ${APPS}/deployments/d/scale`, named("d", { spec: { replicas: 3 } })],
    [`PUT ${APPS}/deployments/d/scale`, named("other", { spec: { replicas: 3 } })],
    [`PUT ${APPS}/deployments/d/scale`, { metadata: { name: "d", resourceVersion: "1" }, spec: { replicas: 3 } }],
    [`PATCH ${APPS}/deployments/d/scale`, { spec: { replicas: -1 } }],
    [`PATCH ${APPS}/deployments/d/scale`, { spec: { replicas: 0 } }],
    [`POST ${APPS}/deployments/d/scale`, {}],
    [`DELETE ${APPS}/deployments/d/scale`],
    [`GET ${APPS}/deployments/none/scale`],
    [
      `POST ${APPS}/statefulsets`,
      {
        ...(workload("s", 1) as object),
        spec: { serviceName: "x", replicas: 1, selector: { matchLabels: { app: "a" } }, template },
      },
    ],
    [`GET ${APPS}/statefulsets/s/scale`],
    [
      `POST ${NS}/replicationcontrollers`,
      {
        metadata: { name: "r" },
        spec: {
          replicas: 1,
          selector: { app: "a", b: "c" },
          template: { ...template, metadata: { labels: { app: "a", b: "c" } } },
        },
      },
    ],
    [`PATCH ${NS}/replicationcontrollers/r/scale`, { spec: { replicas: 4 } }],
    [`GET ${APPS}/daemonsets/x/scale`],
  ],
  binding: [
    [`POST ${NS}/pods`, pod("bound")],
    [`POST ${NS}/pods/bound/binding`, named("other", { target: { kind: "Node", name: "n" } })],
    [`POST ${NS}/pods/bound/binding`, named("bound", { target: { kind: "Pod", name: "" } })],
    [
      `POST ${NS}/pods/bound/binding`,
      { metadata: { name: "bound", annotations: { a: "b" } }, target: { kind: "Node", name: "n" } },
    ],
    [`GET ${NS}/pods/bound`],
    [`POST ${NS}/pods/bound/binding`, named("bound", { target: { name: "m" } })],
    [`POST ${NS}/bindings`, named("bound", { target: { name: "m" } })],
    [`POST ${NS}/bindings`, named("none", { target: { name: "m" } })],
    [`GET ${NS}/bindings`],
  ],
  eviction: [
    [`POST ${NS}/pods`, pod("evicted")],
    [
      `PATCH ${NS}/pods/evicted/status`,
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
    ],
    [`POST ${BUDGETS}`, named("b", { spec: { minAvailable: 1, selector: { matchLabels: { app: "evicted" } } } })],
    [`POST ${NS}/pods/evicted/eviction`, named("other")],
    [`POST ${NS}/pods/evicted/eviction`, named("evicted")],
    [
      `PATCH ${BUDGETS}/b/status`,
      {
        status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      },
    ],
    [`POST ${NS}/pods/evicted/eviction`, named("evicted")],
    [`PATCH ${BUDGETS}/b/status`, { status: { disruptionsAllowed: 1, currentHealthy: 2 } }],
    [`POST ${NS}/pods/evicted/eviction?dryRun=All`, named("evicted")],
    [
      `POST ${NS}/pods/evicted/eviction`,
      { ...(named("evicted") as object), deleteOptions: { preconditions: { uid: "x" } } },
    ],
    [
      `POST ${NS}/pods/evicted/eviction`,
      { apiVersion: "policy/v1beta1", kind: "Eviction", ...(named("evicted") as object) },
    ],
    [`GET ${NS}/pods/evicted`],
    [`GET ${BUDGETS}/b`],
    [`POST ${NS}/pods/none/eviction`, named("none")],
  ],
  "logs, debugging and resizing": [
    [`POST ${NS}/pods`, pod("p")],
    [
      `POST ${NS}/pods`,
      {
        metadata: { name: "two" },
        spec: {
          containers: [
            { name: "a", image: "i" },
            { name: "b", image: "i" },
          ],
          automountServiceAccountToken: false,
        },
      },
    ],
    [`GET ${NS}/pods/p/log`],
    [`GET ${NS}/pods/p/log?container=x`],
    [`GET ${NS}/pods/two/log`],
    [`GET ${NS}/pods/none/log`],
    [
      `PATCH ${NS}/pods/p/ephemeralcontainers`,
      { spec: { ephemeralContainers: [{ name: "debug", image: "busybox" }] } },
    ],
    [`GET ${NS}/pods/p/ephemeralcontainers`],
    [`PATCH ${NS}/pods/p/resize`, { spec: { containers: [{ ...container, resources: { requests: { cpu: "2" } } }] } }],
  ],
  "finalizing a namespace": [
    ["POST /api/v1/namespaces", named("n")],
    ["PUT /api/v1/namespaces/n/finalize", named("n", { spec: { finalizers: ["x.dev/y"] } })],
    ["GET /api/v1/namespaces/n"],
    ["GET /api/v1/namespaces/n/finalize"],
    ["DELETE /api/v1/namespaces"],
    ["PUT /api/v1/namespaces/none/finalize", named("none")],
  ],
  tokens: [
    [`POST ${NS}/serviceaccounts`, named("s")],
    [`POST ${NS}/serviceaccounts/s/token`, { spec: { expirationSeconds: 1 } }],
    [`POST ${NS}/serviceaccounts/s/token`, { ...(named("other") as object), spec: {} }],
    [
      `POST ${NS}/serviceaccounts/s/token`,
      { spec: { boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "d" } } },
    ],
    [
      `POST ${NS}/serviceaccounts/s/token`,
      { spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } } },
    ],
    [`POST ${NS}/serviceaccounts/s/token`, { spec: { audiences: ["x"], expirationSeconds: 700 } }],
    [`POST ${NS}/serviceaccounts/none/token`, { spec: {} }],
    [`GET ${NS}/serviceaccounts/s/token`],
    [`POST ${AUTHENTICATION}/tokenreviews`, { spec: { token: "nonsense" } }],
    [`POST ${AUTHENTICATION}/tokenreviews`, { spec: {} }],
  ],
  questions: [
    [
      `POST ${AUTHORIZATION}/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
    ],
    [
      `POST ${AUTHORIZATION}/selfsubjectaccessreviews`,
      { spec: { nonResourceAttributes: { verb: "get", path: "/x" } } },
    ],
    [`POST ${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: {} }],
    [`POST ${AUTHORIZATION}/subjectaccessreviews`, { spec: { resourceAttributes: {} } }],
    [
      `POST ${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`,
      { spec: { user: "u", resourceAttributes: { namespace: "other" } } },
    ],
    [`POST ${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: {} }],
    [`GET ${AUTHORIZATION}/selfsubjectrulesreviews`],
  ],
};

const TYPES: Readonly<Record<string, string>> = { PATCH: "application/merge-patch+json" };
const OWN = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "lastTransitionTime",
  "token",
  "expirationTimestamp",
];

/** Removes values that differ between servers, and Go-specific wording. */
function scrubbed(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, "<uid>");
  if (Array.isArray(value)) return value.map(scrubbed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !OWN.includes(name));
  return Object.fromEntries(
    entries.map(([name, child]) => [name, name === "disruptedPods" ? Object.keys(child as object) : scrubbed(child)]),
  );
}

async function answersOf(server: RawClient, steps: readonly Step[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const [request, body] of steps) {
    const [method = "", path = ""] = request.split(" ");
    const asking: RawRequestOptions = {
      method,
      ...(body === undefined ? {} : { body }),
      contentType: TYPES[method] ?? "application/json",
    };
    const { code, body: result } = await server.request(path, asking);
    answers.push({ request, code, result: scrubbed(result) });
  }
  return answers;
}

await onRealCluster("subresources compared with kube-apiserver", (start) => {
  describe("subresources compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      [real, ours] = [await rawClient(await start()), await embeddedRawClient()];
      for (const server of [real, ours]) {
        const body = named("default");
        await server.request(`${NS}/serviceaccounts`, { method: "POST", body });
      }
    });
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test.each(Object.entries(SCENARIOS))("%s have the same responses", async (_name, steps) => {
      const [expected, found] = await Promise.all([real, ours].map((server) => answersOf(server, steps)));
      expect(found).toEqual(expected);
    });
  });
});
