import { isReady } from "@levelset/core";
import type { EmbeddedObject, JsonObject, Kind, ObjectKey, ObjectOf } from "@levelset/core";
import { Discovery, Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Cluster } from "../../support/cluster/cluster.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { createOperand, operandName, start, until, updateOperand } from "./operands.ts";

/** An object, and a change of one of its immutable fields. The names are added. */
export interface ImmutableField {
  readonly apiVersion: string;
  readonly kind: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The name, if the kind restricts it. */
  readonly name?: string;
}

/** One field by its path and kind, as `roleRef of RoleBinding`. */
export type ImmutableFields = Readonly<Record<string, ImmutableField>>;

const field = (apiVersion: string, kind: string, before: JsonObject, after: JsonObject): ImmutableField => ({
  apiVersion,
  kind,
  before,
  after,
});

const container = (name: string): JsonObject => ({ name, image: "example.com/app:1" });

const podSpec = (spec: JsonObject): JsonObject => ({ spec: { containers: [container("main")], ...spec } });

const workload = (app: string, spec: JsonObject = {}): JsonObject => ({
  spec: {
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [container("main")] } },
    ...spec,
  },
});

const NO_PODS = { replicas: 0 };

const job = (image: string, spec: JsonObject = {}): JsonObject => ({
  spec: { ...spec, template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image }] } } },
});

const claim = (storageClassName: string): JsonObject => ({
  spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});

const volume = (path: string, zone: string): JsonObject => ({
  spec: {
    storageClassName: "none",
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    hostPath: { path },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }] },
    },
  },
});

const service = (spec: JsonObject): JsonObject => ({ spec: { ports: [{ port: 80 }], ...spec } });

const balancer = (spec: JsonObject): JsonObject =>
  service({ type: "LoadBalancer", externalTrafficPolicy: "Local", ...spec });

const binding = (kind: string, name: string): JsonObject => ({
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
});

const storageClass = (fields: JsonObject): JsonObject => ({ provisioner: "example.com/a", ...fields });

const attachment = (nodeName: string): JsonObject => ({
  spec: { attacher: "a.example.com", nodeName, source: { persistentVolumeName: "a" } },
});

const toleration = (value: string): JsonObject => podSpec({ tolerations: [{ key: "a", operator: "Equal", value }] });

/** Kinds that each cluster serves, with the fields that cannot change. */
const IMMUTABLE_FIELDS: ImmutableFields = {
  "data of ConfigMap": field("v1", "ConfigMap", { immutable: true, data: { a: "1" } }, { immutable: true, data: {} }),
  "immutable of ConfigMap": field("v1", "ConfigMap", { immutable: true }, { immutable: false }),
  "data of Secret": field("v1", "Secret", { immutable: true, data: { a: "MQ==" } }, { immutable: true, data: {} }),
  "type of Secret": field("v1", "Secret", { type: "example.com/a" }, { type: "example.com/b" }),
  "clusterIP of Service": field(
    "v1",
    "Service",
    service({ clusterIP: "10.96.77.6" }),
    service({ clusterIP: "10.96.77.7" }),
  ),
  "loadBalancerClass of Service": field(
    "v1",
    "Service",
    balancer({ loadBalancerClass: "example.com/a" }),
    balancer({ loadBalancerClass: "example.com/b" }),
  ),
  "healthCheckNodePort of Service": field(
    "v1",
    "Service",
    balancer({ healthCheckNodePort: 31_771 }),
    balancer({ healthCheckNodePort: 31_772 }),
  ),
  "hostname of Pod": field("v1", "Pod", podSpec({ hostname: "a" }), podSpec({ hostname: "b" })),
  "containers of Pod": field("v1", "Pod", podSpec({}), podSpec({ containers: [container("main"), container("b")] })),
  "activeDeadlineSeconds of Pod": field(
    "v1",
    "Pod",
    podSpec({ activeDeadlineSeconds: 1_000 }),
    podSpec({ activeDeadlineSeconds: 2_000 }),
  ),
  "tolerations of Pod": field("v1", "Pod", toleration("1"), toleration("2")),
  "schedulingGates of Pod": field(
    "v1",
    "Pod",
    podSpec({ schedulingGates: [{ name: "example.com/a" }] }),
    podSpec({ schedulingGates: [{ name: "example.com/a" }, { name: "example.com/b" }] }),
  ),
  "storageClassName of PersistentVolumeClaim": field("v1", "PersistentVolumeClaim", claim("a"), claim("b")),
  "source of PersistentVolume": field("v1", "PersistentVolume", volume("/a", "1"), volume("/b", "1")),
  "nodeAffinity of PersistentVolume": field("v1", "PersistentVolume", volume("/a", "1"), volume("/a", "2")),
  "scopes of ResourceQuota": field(
    "v1",
    "ResourceQuota",
    { spec: { hard: { pods: "1000" }, scopes: ["BestEffort"] } },
    { spec: { hard: { pods: "1000" }, scopes: ["NotBestEffort"] } },
  ),
  "selector of Deployment": field("apps/v1", "Deployment", workload("a", NO_PODS), workload("b", NO_PODS)),
  "selector of ReplicaSet": field("apps/v1", "ReplicaSet", workload("a", NO_PODS), workload("b", NO_PODS)),
  "selector of DaemonSet": field("apps/v1", "DaemonSet", workload("a"), workload("b")),
  "serviceName of StatefulSet": field(
    "apps/v1",
    "StatefulSet",
    workload("a", { ...NO_PODS, serviceName: "a" }),
    workload("a", { ...NO_PODS, serviceName: "b" }),
  ),
  "data of ControllerRevision": field(
    "apps/v1",
    "ControllerRevision",
    { revision: 1, data: { a: "1" } },
    { revision: 1, data: { a: "2" } },
  ),
  "template of Job": field("batch/v1", "Job", job("a:1", { suspend: false }), job("a:2", { suspend: false })),
  "completions of Job": field("batch/v1", "Job", job("a:1", { completions: 2 }), job("a:1", { completions: 3 })),
  "controller of IngressClass": field(
    "networking.k8s.io/v1",
    "IngressClass",
    { spec: { controller: "example.com/a" } },
    { spec: { controller: "example.com/b" } },
  ),
  "value of PriorityClass": field("scheduling.k8s.io/v1", "PriorityClass", { value: 1 }, { value: 2 }),
  "preemptionPolicy of PriorityClass": field(
    "scheduling.k8s.io/v1",
    "PriorityClass",
    { value: 1, preemptionPolicy: "Never" },
    { value: 1, preemptionPolicy: "PreemptLowerPriority" },
  ),
  "provisioner of StorageClass": field(
    "storage.k8s.io/v1",
    "StorageClass",
    storageClass({}),
    storageClass({ provisioner: "example.com/b" }),
  ),
  "parameters of StorageClass": field(
    "storage.k8s.io/v1",
    "StorageClass",
    storageClass({ parameters: { a: "1" } }),
    storageClass({ parameters: { a: "2" } }),
  ),
  "reclaimPolicy of StorageClass": field(
    "storage.k8s.io/v1",
    "StorageClass",
    storageClass({ reclaimPolicy: "Delete" }),
    storageClass({ reclaimPolicy: "Retain" }),
  ),
  "volumeBindingMode of StorageClass": field(
    "storage.k8s.io/v1",
    "StorageClass",
    storageClass({ volumeBindingMode: "Immediate" }),
    storageClass({ volumeBindingMode: "WaitForFirstConsumer" }),
  ),
  "attachRequired of CSIDriver": field(
    "storage.k8s.io/v1",
    "CSIDriver",
    { spec: { attachRequired: true } },
    { spec: { attachRequired: false } },
  ),
  "nodeName of VolumeAttachment": field("storage.k8s.io/v1", "VolumeAttachment", attachment("a"), attachment("b")),
  "addressType of EndpointSlice": field(
    "discovery.k8s.io/v1",
    "EndpointSlice",
    { addressType: "IPv4", endpoints: [] },
    { addressType: "IPv6", endpoints: [] },
  ),
  "roleRef of RoleBinding": field(
    "rbac.authorization.k8s.io/v1",
    "RoleBinding",
    binding("Role", "a"),
    binding("Role", "b"),
  ),
  "roleRef of ClusterRoleBinding": field(
    "rbac.authorization.k8s.io/v1",
    "ClusterRoleBinding",
    binding("ClusterRole", "a"),
    binding("ClusterRole", "b"),
  ),
  "scope of CustomResourceDefinition": {
    ...field("apiextensions.k8s.io/v1", "CustomResourceDefinition", crd("Namespaced"), crd("Cluster")),
    name: "gems.immutable.example.com",
  },
};

const POOL = { name: "a", generation: 1, resourceSliceCount: 1 };

const device = (deviceClassName: string): JsonObject => ({
  devices: { requests: [{ name: "a", exactly: { deviceClassName } }] },
});

/** Kinds that only kube-apiserver serves. */
const OTHER_IMMUTABLE_FIELDS: ImmutableFields = {
  "handler of RuntimeClass": field("node.k8s.io/v1", "RuntimeClass", { handler: "a" }, { handler: "b" }),
  "driverName of VolumeAttributesClass": field(
    "storage.k8s.io/v1",
    "VolumeAttributesClass",
    { driverName: "a.example.com", parameters: { a: "1" } },
    { driverName: "b.example.com", parameters: { a: "1" } },
  ),
  "parameters of VolumeAttributesClass": field(
    "storage.k8s.io/v1",
    "VolumeAttributesClass",
    { driverName: "a.example.com", parameters: { a: "1" } },
    { driverName: "a.example.com", parameters: { a: "2" } },
  ),
  "storageClassName of CSIStorageCapacity": field(
    "storage.k8s.io/v1",
    "CSIStorageCapacity",
    { storageClassName: "a" },
    { storageClassName: "b" },
  ),
  "parentRef of IPAddress": {
    ...field(
      "networking.k8s.io/v1",
      "IPAddress",
      { spec: { parentRef: { resource: "services", namespace: "default", name: "a" } } },
      { spec: { parentRef: { resource: "services", namespace: "default", name: "b" } } },
    ),
    name: "10.96.211.1",
  },
  "cidrs of ServiceCIDR": field(
    "networking.k8s.io/v1",
    "ServiceCIDR",
    { spec: { cidrs: ["10.111.0.0/24"] } },
    { spec: { cidrs: ["10.112.0.0/24"] } },
  ),
  "spec of ResourceClaim": field("resource.k8s.io/v1", "ResourceClaim", { spec: device("a") }, { spec: device("b") }),
  "spec of ResourceClaimTemplate": field(
    "resource.k8s.io/v1",
    "ResourceClaimTemplate",
    { spec: { spec: device("a") } },
    { spec: { spec: device("b") } },
  ),
  "driver of ResourceSlice": field(
    "resource.k8s.io/v1",
    "ResourceSlice",
    { spec: { driver: "a.example.com", pool: POOL, allNodes: true } },
    { spec: { driver: "b.example.com", pool: POOL, allNodes: true } },
  ),
};

function crd(scope: string): JsonObject {
  const openAPIV3Schema = { type: "object" };
  return {
    spec: {
      group: "immutable.example.com",
      scope,
      names: { kind: "Gem", plural: "gems" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** The object of a case before and after the change. */
interface Case {
  readonly path: string;
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly before: EmbeddedObject;
  readonly after: EmbeddedObject;
}

async function caseOf(
  cluster: Cluster,
  [path, immutable]: readonly [string, ImmutableField],
  metadata: { readonly name: string; readonly annotations: JsonObject },
): Promise<Case> {
  const { apiVersion, kind: name, before, after } = immutable;
  const kind = await new Discovery(cluster.client).kindOf(immutable);
  const place = kind.scope === "Namespaced" ? { namespace: cluster.namespace } : {};
  const key = { name: immutable.name ?? metadata.name, ...place };
  const object = (fields: JsonObject): EmbeddedObject => ({
    apiVersion,
    kind: name,
    metadata: { ...metadata, ...key },
    ...fields,
  });
  return { path, kind, key, before: object(before), after: object(after) };
}

/** The status of an Operand names at most this many objects. */
const SET_MAX = 10;

type Results = Readonly<Record<string, string>>;

/** Installs the objects of some cases, changes the fields, and returns the result of each object. */
async function change(cluster: Cluster, cases: readonly Case[], operand: string): Promise<Results> {
  await createOperand(
    cluster,
    { checkDeploymentHealth: false, steadyState: cases.map(({ before }) => before) },
    operand,
  );
  const isInstalled = (found: ObjectOf<Operand>): boolean => isReady(found) || found.status?.phase === "Failed";
  expect((await until(cluster, isInstalled, operand, 60_000)).status?.failing).toBeUndefined();
  const uids = await Promise.all(cases.map(({ kind, key }) => uidOf(cluster, kind, key)));
  const { metadata } = await updateOperand(cluster, { steadyState: cases.map(({ after }) => after) }, operand);
  const isDone = (found: ObjectOf<Operand>): boolean => {
    if (found.status?.observedGeneration !== metadata.generation) return false;
    return isReady(found) || (found.status?.phase === "Failed" && found.status.counts?.total === cases.length);
  };
  const { status } = await until(cluster, isDone, operand, 60_000);
  const results = await Promise.all(
    cases.map(async ({ path, kind, key }, index): Promise<readonly [string, string]> => {
      const failing = status?.failing?.find((one) => one.kind === kind.kind && one.name === key.name);
      if (failing !== undefined) return [path, `${failing.reason}: ${failing.message}`];
      return [path, (await uidOf(cluster, kind, key)) === uids[index] ? "changed" : "recreated"];
    }),
  );
  // Cluster IPs and ports are shared by all scenarios.
  await cluster.delete(Operand, operandName(cluster, operand));
  await cluster.untilDeleted(Operand, operandName(cluster, operand), 60_000);
  return Object.fromEntries(results);
}

/** Returns the uid of an object; undefined while it is deleted and not recreated yet. */
async function uidOf(cluster: Cluster, kind: Kind, key: ObjectKey): Promise<string | undefined> {
  const { items } = await cluster.client.list(kind, key.namespace === undefined ? {} : { namespace: key.namespace });
  return items.find(({ metadata }) => metadata.name === key.name)?.metadata.uid;
}

function scenarios(fields: ImmutableFields): Scenarios {
  const results = async (cluster: Cluster, annotations: JsonObject): Promise<Results> => {
    await start(cluster);
    const cases = await Promise.all(
      Object.entries(fields).map((entry, index) =>
        caseOf(cluster, entry, { name: `${cluster.namespace}-${index}`, annotations }),
      ),
    );
    const found: Record<string, string> = {};
    for (let first = 0; first < cases.length; first += SET_MAX) {
      Object.assign(found, await change(cluster, cases.slice(first, first + SET_MAX), `i${first}`));
    }
    return found;
  };
  const all = (result: unknown, ofJobs = result): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.keys(fields).map((path) => [path, path.endsWith(" of Job") ? ofJobs : result]));
  const count = Object.keys(fields).length;
  return {
    [`a change of any of ${count} immutable fields is reported as such, except of a Job, which is replaced`]: async (
      cluster,
    ) => {
      expect(await results(cluster, {})).toEqual(
        all(expect.stringMatching(/^ImmutableField: /u), expect.stringMatching(/^(?:Recreating: |recreated$)/u)),
      );
    },
    [`a change of any of ${count} immutable fields recreates the object if it has the annotation`]: async (cluster) => {
      expect(await results(cluster, { "operand.levelset.dev/recreate": "true" })).toEqual(all("recreated"));
    },
  };
}

/** Scenarios about immutable fields of kinds that each cluster serves. */
export const IMMUTABLE: Scenarios = scenarios(IMMUTABLE_FIELDS);

/** The same for kinds that only kube-apiserver serves. */
export const IMMUTABLE_OF_OTHER_KINDS: Scenarios = scenarios(OTHER_IMMUTABLE_FIELDS);
