import { expect, test } from "vitest";
import { ApiHarness } from "./api.fixture.ts";

const PODS = "/api/v1/namespaces/default/pods";
const CONTAINER = { name: "main", image: "nginx" };
const pod = (spec: object = {}, name = "a"): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [CONTAINER], ...spec },
});

test("a pod gets default policies, priority, tolerations and QoS class", async () => {
  const { body } = await new ApiHarness().call("POST", PODS, pod());
  expect(body.spec).toEqual({
    containers: [
      {
        ...CONTAINER,
        imagePullPolicy: "Always",
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ],
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    enableServiceLinks: true,
    priority: 0,
    preemptionPolicy: "PreemptLowerPriority",
    tolerations: ["not-ready", "unreachable"].map((reason) => ({
      key: `node.kubernetes.io/${reason}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    })),
  });
  expect(body["status"]).toEqual({ phase: "Pending", qosClass: "BestEffort" });
});

test.each([
  [{ limits: { cpu: "1000m", memory: "1024Mi" } }, { cpu: "1", memory: "1Gi" }, "Guaranteed"],
  [{ requests: { cpu: 0.5 } }, { cpu: "500m" }, "Burstable"],
  [{ requests: { cpu: "0.1m" } }, { cpu: "1m" }, "Burstable"],
  [{ requests: { "example.com/gpu": 1 }, limits: { "example.com/gpu": 1 } }, { "example.com/gpu": "1" }, "BestEffort"],
])("resources %j are requests %j of class %s", async (resources, requests, qosClass) => {
  const { body } = await new ApiHarness().call("POST", PODS, pod({ containers: [{ ...CONTAINER, resources }] }));
  expect(body.spec).toMatchObject({ containers: [{ resources: { requests } }] });
  expect(body["status"]).toMatchObject({ qosClass });
});

test.each([
  [{ containers: [] }, ["spec.containers"]],
  [{ containers: [{}] }, ["spec.containers[0].name", "spec.containers[0].image"]],
  [{ containers: [CONTAINER, CONTAINER] }, ["spec.containers[1].name"]],
  [{ restartPolicy: "Maybe" }, ["spec.restartPolicy"]],
  [{ volumes: [{ name: "v", secret: {} }] }, ["spec.volumes[0].secret.secretName"]],
  [
    { containers: [{ ...CONTAINER, volumeMounts: [{ name: "v", mountPath: "/v" }] }] },
    ["spec.containers[0].volumeMounts[0].name"],
  ],
  [{ containers: [{ ...CONTAINER, ports: [{ containerPort: 0 }] }] }, ["spec.containers[0].ports[0].containerPort"]],
  [{ containers: [{ ...CONTAINER, livenessProbe: {} }] }, ["spec.containers[0].livenessProbe"]],
  [
    { containers: [{ ...CONTAINER, resources: { limits: { cpu: 1 }, requests: { cpu: 2 } } }] },
    ["spec.containers[0].resources.requests"],
  ],
])("a pod with %j is rejected at %j", async (spec, fields) => {
  const { code, body } = await new ApiHarness().call("POST", PODS, pod(spec));
  expect(code).toBe(422);
  expect(body.details?.causes?.map(({ field }) => field)).toEqual(fields);
});

test("an invalid quantity returns 400 with the message of kube-apiserver", async () => {
  const spec = { containers: [{ ...CONTAINER, resources: { limits: { cpu: "much" } } }] };
  const { code, body } = await new ApiHarness().call("POST", PODS, pod(spec));
  expect(code).toBe(400);
  expect(body.message).toContain("quantities must match the regular expression");
});

test("a pod's image may change, which increments the generation; most other fields are immutable", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod());
  const changed = { ...CONTAINER, image: "nginx:2", imagePullPolicy: "Always" };
  const image = await api.merge(`${PODS}/a`, { spec: { containers: [changed] } });
  expect([image.code, image.body.metadata.generation]).toEqual([200, 2]);
  const labelled = await api.merge(`${PODS}/a`, { metadata: { labels: { a: "b" } } });
  expect(labelled.body.metadata.generation).toBe(2);
  const policy = await api.merge(`${PODS}/a`, { spec: { restartPolicy: "Never" } });
  expect(policy.code).toBe(422);
  expect(policy.body.message).toContain("pod updates may not change fields other than `spec.containers[*].image`");
});

test("a status update may set labels and addresses, but not the spec", async () => {
  const api = new ApiHarness();
  await api.call("POST", PODS, pod());
  const status = { phase: "Running", podIP: "10.0.0.1" };
  const { body } = await api.merge(`${PODS}/a/status`, {
    metadata: { labels: { a: "b" } },
    spec: { restartPolicy: "Never" },
    status,
  });
  expect(body.metadata.labels).toEqual({ a: "b" });
  expect(body.spec).toMatchObject({ restartPolicy: "Always" });
  expect(body["status"]).toEqual({ ...status, podIPs: [{ ip: "10.0.0.1" }], qosClass: "BestEffort" });
  const moved = await api.merge(`${PODS}/a/status`, { status: { qosClass: "Guaranteed" } });
  expect(moved.body.details?.causes?.[0]?.field).toBe("status.qosClass");
});

test("a priority class sets the priority of its pods, and an unknown class returns 403", async () => {
  const api = new ApiHarness();
  await api.call("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "vip" }, value: 7 });
  const { body } = await api.call("POST", PODS, pod({ priorityClassName: "vip" }));
  expect(body.spec).toMatchObject({ priority: 7, priorityClassName: "vip" });
  const unknown = await api.call("POST", PODS, pod({ priorityClassName: "none" }, "b"));
  expect([unknown.code, unknown.body.message]).toEqual([
    403,
    'pods "b" is forbidden: no PriorityClass with name none was found',
  ]);
});

test("a pod may be replaced by its original manifest and by the stored object", async () => {
  const api = new ApiHarness();
  const { body: created } = await api.call("POST", PODS, pod());
  const written = await api.call("PUT", `${PODS}/a`, pod());
  expect([written.code, written.body.spec]).toEqual([200, created.spec]);
  const read = await api.call("PUT", `${PODS}/a`, written.body);
  expect([read.code, read.body.spec]).toEqual([200, created.spec]);
});

test("a replaced pod keeps its priority after its class is deleted; another priority is rejected", async () => {
  const api = new ApiHarness();
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  await api.call("POST", classes, { metadata: { name: "high" }, value: 7, preemptionPolicy: "Never" });
  await api.call("POST", PODS, pod({ priorityClassName: "high" }));
  await api.call("DELETE", `${classes}/high`);
  const { code, body } = await api.call("PUT", `${PODS}/a`, pod({ priorityClassName: "high" }));
  expect([code, body.spec]).toMatchObject([200, { priority: 7, preemptionPolicy: "Never" }]);
  const other = await api.call("PUT", `${PODS}/a`, pod({ priorityClassName: "high", priority: 8 }));
  expect(other.code).toBe(422);
});

test("a preemption policy that differs from the class is forbidden", async () => {
  const { code, body } = await new ApiHarness().call("POST", PODS, pod({ preemptionPolicy: "Never" }));
  expect([code, body.message]).toEqual([
    403,
    'pods "a" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
  ]);
});
