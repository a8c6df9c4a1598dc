import { describe, expect, expectTypeOf, test } from "vitest";
import { apiVersionOf } from "../kind/index.ts";
import type { Kind, NewOf, ObjectOf } from "../kind/index.ts";
import { applyDefaults, pruneUnknownFields, validate } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import * as kinds from "./index.ts";
import type { Container, PodSpec, StandardCondition } from "./index.ts";
import * as manifests from "./manifests.fixture.ts";

/** Name of the export, group and version, plural, short names; then `cluster` and `status` where they apply. */
const FACTS = [
  "Binding v1 bindings -",
  "ClusterRole rbac.authorization.k8s.io/v1 clusterroles - cluster",
  "ClusterRoleBinding rbac.authorization.k8s.io/v1 clusterrolebindings - cluster",
  "ConfigMap v1 configmaps cm",
  "ControllerRevision apps/v1 controllerrevisions -",
  "CronJob batch/v1 cronjobs cj status",
  "CSIDriver storage.k8s.io/v1 csidrivers - cluster",
  "CustomResourceDefinition apiextensions.k8s.io/v1 customresourcedefinitions crd,crds cluster status",
  "DaemonSet apps/v1 daemonsets ds status",
  "Deployment apps/v1 deployments deploy status",
  "Endpoints v1 endpoints ep",
  "EndpointSlice discovery.k8s.io/v1 endpointslices -",
  "Event v1 events ev",
  "EventV1 events.k8s.io/v1 events ev",
  "Eviction policy/v1 evictions -",
  "HorizontalPodAutoscaler autoscaling/v2 horizontalpodautoscalers hpa status",
  "HorizontalPodAutoscalerV1 autoscaling/v1 horizontalpodautoscalers hpa status",
  "Ingress networking.k8s.io/v1 ingresses ing status",
  "IngressClass networking.k8s.io/v1 ingressclasses - cluster",
  "Job batch/v1 jobs - status",
  "Lease coordination.k8s.io/v1 leases -",
  "LimitRange v1 limitranges limits",
  "LocalSubjectAccessReview authorization.k8s.io/v1 localsubjectaccessreviews - status",
  "MutatingWebhookConfiguration admissionregistration.k8s.io/v1 mutatingwebhookconfigurations - cluster",
  "Namespace v1 namespaces ns cluster status",
  "NetworkPolicy networking.k8s.io/v1 networkpolicies netpol",
  "Node v1 nodes no cluster status",
  "PersistentVolume v1 persistentvolumes pv cluster status",
  "PersistentVolumeClaim v1 persistentvolumeclaims pvc status",
  "Pod v1 pods po status",
  "PodDisruptionBudget policy/v1 poddisruptionbudgets pdb status",
  "PodTemplate v1 podtemplates -",
  "PriorityClass scheduling.k8s.io/v1 priorityclasses pc cluster",
  "ReplicaSet apps/v1 replicasets rs status",
  "ReplicationController v1 replicationcontrollers rc status",
  "ResourceQuota v1 resourcequotas quota status",
  "Role rbac.authorization.k8s.io/v1 roles -",
  "RoleBinding rbac.authorization.k8s.io/v1 rolebindings -",
  "Scale autoscaling/v1 scales - status",
  "Secret v1 secrets -",
  "SelfSubjectAccessReview authorization.k8s.io/v1 selfsubjectaccessreviews - cluster status",
  "SelfSubjectReview authentication.k8s.io/v1 selfsubjectreviews - cluster status",
  "SelfSubjectRulesReview authorization.k8s.io/v1 selfsubjectrulesreviews - cluster status",
  "Service v1 services svc status",
  "ServiceAccount v1 serviceaccounts sa",
  "StatefulSet apps/v1 statefulsets sts status",
  "StorageClass storage.k8s.io/v1 storageclasses sc cluster",
  "SubjectAccessReview authorization.k8s.io/v1 subjectaccessreviews - cluster status",
  "TokenRequest authentication.k8s.io/v1 tokenrequests - status",
  "TokenReview authentication.k8s.io/v1 tokenreviews - cluster status",
  "ValidatingAdmissionPolicy admissionregistration.k8s.io/v1 validatingadmissionpolicies - cluster status",
  "ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/v1 validatingadmissionpolicybindings - cluster",
  "ValidatingWebhookConfiguration admissionregistration.k8s.io/v1 validatingwebhookconfigurations - cluster",
  "VolumeAttachment storage.k8s.io/v1 volumeattachments - cluster status",
];

function factsOf([name, kind]: readonly [string, Kind]): string {
  const facts = [name, apiVersionOf(kind), kind.plural, kind.shortNames.join(",") || "-"];
  if (kind.scope === "Cluster") facts.push("cluster");
  if (kind.hasStatus) facts.push("status");
  return facts.join(" ");
}

/** Every schema at and below this one, with its path: `spec.containers[].ports`. */
function* schemasOf(schema: StructuralSchema, path = ""): Generator<readonly [string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* schemasOf(field, path === "" ? name : `${path}.${name}`);
  }
  if (schema.items !== undefined) yield* schemasOf(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* schemasOf(schema.additionalProperties, `${path}{}`);
}

function schemaAt(kind: Kind, path: string): StructuralSchema | undefined {
  for (const [at, schema] of schemasOf(kind.schema)) if (at === path) return schema;
  return undefined;
}

describe("the built-in kinds", () => {
  test("are named, scoped and shortened as Kubernetes has them", () => {
    const byName = Object.entries<Kind>(kinds).toSorted(([a], [b]) => a.localeCompare(b, "en"));
    expect(byName.map(factsOf)).toEqual(FACTS);
    expect(kinds.Endpoints.singular).toBe("endpoints");
    expect(kinds.EventV1.kind).toBe("Event");
  });

  test("describe every field in few words, and share their parts", () => {
    const seen = new Set<StructuralSchema>();
    for (const [name, kind] of Object.entries<Kind>(kinds)) {
      if (kind === kinds.CustomResourceDefinition) continue;
      for (const [path, schema] of schemasOf(kind.schema)) {
        seen.add(schema);
        for (const [field, { description }] of Object.entries(schema.properties ?? {})) {
          expect(description, `${name} ${path}.${field}`).toMatch(/^.{3,160}\.$/u);
        }
      }
    }
    expect(seen.size).toBeLessThan(3_000);
  });
});

describe("list types", () => {
  test.each<[Kind, string, readonly string[]]>([
    [kinds.Pod, "spec.containers", ["name"]],
    [kinds.Pod, "spec.ephemeralContainers", ["name"]],
    [kinds.Pod, "spec.containers[].ports", ["containerPort", "protocol"]],
    [kinds.Pod, "spec.containers[].env", ["name"]],
    [kinds.Pod, "spec.containers[].volumeMounts", ["mountPath"]],
    [kinds.Pod, "spec.containers[].volumeDevices", ["devicePath"]],
    [kinds.Pod, "spec.volumes", ["name"]],
    [kinds.Pod, "spec.imagePullSecrets", ["name"]],
    [kinds.Pod, "spec.hostAliases", ["ip"]],
    [kinds.Pod, "spec.topologySpreadConstraints", ["topologyKey", "whenUnsatisfiable"]],
    [kinds.Pod, "status.conditions", ["type"]],
    [kinds.Pod, "status.podIPs", ["ip"]],
    [kinds.Deployment, "spec.template.spec.initContainers", ["name"]],
    [kinds.Deployment, "spec.template.metadata.ownerReferences", ["uid"]],
    [kinds.CronJob, "spec.jobTemplate.spec.template.spec.containers[].env", ["name"]],
    [kinds.Service, "spec.ports", ["port", "protocol"]],
    [kinds.Service, "status.conditions", ["type"]],
    [kinds.ServiceAccount, "secrets", ["name"]],
    [kinds.Node, "status.addresses", ["type"]],
    [kinds.MutatingWebhookConfiguration, "webhooks", ["name"]],
    [kinds.ValidatingAdmissionPolicy, "spec.variables", ["name"]],
  ])("$kind $1 is keyed", (kind, path, keys) => {
    expect(schemaAt(kind, path)).toMatchObject({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": keys,
    });
  });

  test.each<[Kind, string]>([
    [kinds.Pod, "spec.tolerations"],
    [kinds.Pod, "spec.containers[].command"],
    [kinds.Job, "status.conditions"],
    [kinds.ServiceAccount, "imagePullSecrets"],
    [kinds.StatefulSet, "spec.volumeClaimTemplates"],
    [kinds.Ingress, "spec.rules"],
    [kinds.Role, "rules"],
  ])("$kind $1 is atomic", (kind, path) => {
    expect(schemaAt(kind, path)?.["x-kubernetes-list-type"]).toBe("atomic");
  });

  test("sets and atomic objects are what the API says", () => {
    expect(schemaAt(kinds.Deployment, "spec.template.metadata.finalizers")?.["x-kubernetes-list-type"]).toBe("set");
    expect(schemaAt(kinds.Node, "spec.podCIDRs")?.["x-kubernetes-list-type"]).toBe("set");
    expect(schemaAt(kinds.Deployment, "spec.selector")?.["x-kubernetes-map-type"]).toBe("atomic");
    expect(schemaAt(kinds.Pod, "spec.nodeSelector")?.["x-kubernetes-map-type"]).toBe("atomic");
    expect(schemaAt(kinds.Service, "spec.selector")?.["x-kubernetes-map-type"]).toBe("atomic");
    expect(schemaAt(kinds.Pod, "spec.containers[].resources.limits")?.["x-kubernetes-map-type"]).toBeUndefined();
    expect(schemaAt(kinds.PersistentVolume, "spec.claimRef")?.["x-kubernetes-map-type"]).toBeUndefined();
  });
});

describe("realistic manifests", () => {
  test.each<[string, Kind, object]>([
    ["Deployment", kinds.Deployment, manifests.deployment],
    ["StatefulSet", kinds.StatefulSet, manifests.statefulSet],
    ["Job", kinds.Job, manifests.job],
    ["CronJob", kinds.CronJob, manifests.cronJob],
    ["Service", kinds.Service, manifests.service],
    ["Ingress", kinds.Ingress, manifests.ingress],
    ["NetworkPolicy", kinds.NetworkPolicy, manifests.networkPolicy],
    ["HorizontalPodAutoscaler", kinds.HorizontalPodAutoscaler, manifests.autoscaler],
    ["PersistentVolumeClaim", kinds.PersistentVolumeClaim, manifests.claim],
    ["Role", kinds.Role, manifests.role],
  ])("of kind %s are valid and lose nothing", (_name, kind, manifest) => {
    const { metadata: _metadata, ...fields } = manifest as { readonly metadata: unknown };
    expect(validate(kind.schema, applyDefaults(kind.schema, fields))).toEqual([]);
    expect(pruneUnknownFields(kind.schema, fields)).toEqual({ value: fields, dropped: [] });
  });

  test("get a protocol for each port, so that one port may have two", () => {
    const spec = applyDefaults(kinds.Service.schema, { spec: manifests.service.spec });
    expect(spec).toMatchObject({ spec: { ports: [{ protocol: "TCP" }, { protocol: "UDP" }] } });
  });

  test("name what is wrong by its path", () => {
    const spec = {
      selector: { matchLabels: {} },
      template: { spec: { restartPolicy: "Sometimes", containers: [{ image: "x" }] } },
    };
    expect(validate(kinds.Deployment.schema, { spec }).map(({ field }) => field)).toEqual([
      "spec.template.spec.restartPolicy",
      "spec.template.spec.containers[0].name",
    ]);
    expect(
      pruneUnknownFields(kinds.Pod.schema, { spec: { containers: [{ name: "a", imagee: "x" }] } }).dropped,
    ).toEqual(["spec.containers[0].imagee"]);
  });

  test("that a server sends with null for times that were never set are valid", () => {
    const status = { conditions: [{ type: "Ready", status: "True", lastProbeTime: null }] };
    const spec = { containers: [{ name: "a" }] };
    expect(validate(kinds.Pod.schema, { spec, status })).toEqual([]);
    expect(validate(kinds.Role.schema, { rules: null })).toEqual([]);
    expect(validate(kinds.EventV1.schema, { eventTime: null, regarding: {} })).toEqual([]);
  });
});

describe("types", () => {
  type DeploymentObject = ObjectOf<typeof kinds.Deployment>;

  test("of what is read reach down to containers", () => {
    expectTypeOf<DeploymentObject["spec"]["template"]["spec"]>().toEqualTypeOf<PodSpec>();
    expectTypeOf<PodSpec["containers"][number]>().toEqualTypeOf<Container>();
    expectTypeOf<Container["name"]>().toEqualTypeOf<string>();
    expectTypeOf<Container["image"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Container["imagePullPolicy"]>().toEqualTypeOf<"Always" | "IfNotPresent" | "Never" | undefined>();
    expectTypeOf<NonNullable<DeploymentObject["status"]>["readyReplicas"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<NonNullable<NonNullable<ObjectOf<typeof kinds.Service>["status"]>["conditions"]>>().toEqualTypeOf<
      readonly StandardCondition[]
    >();
  });

  test("of what is written refuse unknown fields and wrong values", () => {
    const containers = [{ name: "a", image: "b" }];
    const pod: NewOf<typeof kinds.Pod> = { metadata: { name: "a" }, spec: { containers, restartPolicy: "Never" } };
    expect(pod.spec.containers).toBe(containers);
    // @ts-expect-error: there is no such field
    const misspelt: NewOf<typeof kinds.Pod> = { metadata: {}, spec: { containers, restartpolicy: "Never" } };
    // @ts-expect-error: there is no such policy
    const unknown: NewOf<typeof kinds.Pod> = { metadata: {}, spec: { containers, restartPolicy: "Maybe" } };
    // @ts-expect-error: a container has a name
    const nameless: NewOf<typeof kinds.Pod> = { metadata: {}, spec: { containers: [{ image: "b" }] } };
    expect([misspelt, unknown, nameless]).toHaveLength(3);
  });
});
