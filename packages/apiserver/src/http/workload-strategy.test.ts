import { expect, test } from "vitest";
import { ApiHarness } from "./api.fixture.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const LABELS = { app: "a" };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: "main", image: "nginx" }] } };
const BASE = { selector: { matchLabels: LABELS }, template: TEMPLATE };
const named = (spec: object, name = "a"): object => ({ metadata: { name }, spec });

test.each([
  ["deployments", { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }, {}],
  ["replicasets", { replicas: 1 }, { replicas: 0 }],
  [
    "statefulsets",
    {
      replicas: 1,
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    },
    { replicas: 0, availableReplicas: 0 },
  ],
  [
    "daemonsets",
    { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
  ],
])("new %s have defaults and an empty status", async (plural, spec, status) => {
  const { code, body } = await new ApiHarness().call("POST", DEPLOYMENTS.replace("deployments", plural), named(BASE));
  expect(code).toBe(201);
  expect(body.spec).toMatchObject(spec);
  expect(body.spec).toMatchObject({ template: { spec: { restartPolicy: "Always", dnsPolicy: "ClusterFirst" } } });
  expect(body["status"]).toEqual(status);
});

test("a selector must match the template, and is immutable", async () => {
  const api = new ApiHarness();
  const apart = await api.call("POST", DEPLOYMENTS, named({ ...BASE, selector: { matchLabels: { app: "b" } } }));
  expect(apart.body.message).toBe(
    'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match ' +
      "template `labels`",
  );
  await api.call("POST", DEPLOYMENTS, named(BASE));
  const template = { metadata: { labels: { app: "b" } } };
  const moved = await api.merge(`${DEPLOYMENTS}/a`, { spec: { selector: { matchLabels: { app: "b" } }, template } });
  expect(moved.body.details?.causes).toEqual([
    { field: "spec.selector", reason: "FieldValueInvalid", message: expect.stringContaining("field is immutable") },
  ]);
});

test("annotation changes of a Deployment increment its generation; label and status changes do not", async () => {
  const api = new ApiHarness();
  await api.call("POST", DEPLOYMENTS, named(BASE));
  const generation = async (patch: object, part = ""): Promise<number | undefined> =>
    (await api.merge(`${DEPLOYMENTS}/a${part}`, patch)).body.metadata.generation;
  expect(await generation({ metadata: { labels: { a: "b" } } })).toBe(1);
  expect(await generation({ metadata: { annotations: { a: "b" } } })).toBe(2);
  expect(await generation({ spec: { paused: true } })).toBe(3);
  expect(await generation({ spec: { paused: true } })).toBe(3);
  expect(await generation({ status: { observedGeneration: 3 } }, "/status")).toBe(3);
});

test("an explicit false that equals the default is not stored", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", DEPLOYMENTS, named({ ...BASE, paused: false, minReadySeconds: 0 }));
  expect(body.spec).not.toHaveProperty("paused");
  expect(body.spec).not.toHaveProperty("minReadySeconds");
});

test("a job's pods are selected by its uid, and its template is immutable", async () => {
  const api = new ApiHarness();
  const spec = { template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } };
  const { body } = await api.call("POST", JOBS, named(spec));
  const { uid } = body.metadata;
  const labels = {
    "controller-uid": uid,
    "job-name": "a",
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": "a",
  };
  expect(body.metadata.labels).toEqual(labels);
  expect(body.spec).toMatchObject({
    completions: 1,
    parallelism: 1,
    backoffLimit: 6,
    suspend: false,
    selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uid } },
    template: { metadata: { labels } },
  });
  const image = { containers: [{ name: "main", image: "other" }] };
  const changed = await api.merge(`${JOBS}/a`, { spec: { template: { spec: image } } });
  expect(changed.body.details?.causes?.[0]?.field).toBe("spec.template");
  expect((await api.merge(`${JOBS}/a`, { spec: { suspend: true } })).body.metadata.generation).toBe(2);
});

test("a status that completes a job must be consistent", async () => {
  const api = new ApiHarness();
  await api.call("POST", JOBS, named({ template: { spec: { ...TEMPLATE.spec, restartPolicy: "Never" } } }));
  const complete = { type: "Complete", status: "True" };
  const half = await api.merge(`${JOBS}/a/status`, { status: { conditions: [complete] } });
  expect(half.body.details?.causes?.map(({ field }) => field).toSorted()).toEqual([
    "status.completionTime",
    "status.conditions",
    "status.startTime",
  ]);
  const status = {
    startTime: "2026-01-01T00:00:00Z",
    completionTime: "2026-01-01T00:00:01Z",
    conditions: [{ type: "SuccessCriteriaMet", status: "True" }, complete],
  };
  expect((await api.merge(`${JOBS}/a/status`, { status })).code).toBe(200);
  expect((await api.merge(`${JOBS}/a/status`, { status: { conditions: [] } })).code).toBe(422);
});
