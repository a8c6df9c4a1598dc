/** Request properties of a kind. */
export interface ResourceInfo {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const row = (
  apiVersion: string,
  namespaced: boolean,
  kinds: Readonly<Record<string, string>>,
): [string, ResourceInfo][] =>
  Object.entries(kinds).map(([plural, kind]) => [plural, { apiVersion, kind, namespaced }]);

/** Built-in kinds by plural. `events` are those of the core group. */
export const RESOURCES: ReadonlyMap<string, ResourceInfo> = new Map([
  ...row("v1", true, {
    configmaps: "ConfigMap",
    secrets: "Secret",
    services: "Service",
    serviceaccounts: "ServiceAccount",
    pods: "Pod",
    podtemplates: "PodTemplate",
    replicationcontrollers: "ReplicationController",
    events: "Event",
    endpoints: "Endpoints",
    persistentvolumeclaims: "PersistentVolumeClaim",
    limitranges: "LimitRange",
    resourcequotas: "ResourceQuota",
    bindings: "Binding",
  }),
  ...row("v1", false, { namespaces: "Namespace", nodes: "Node", persistentvolumes: "PersistentVolume" }),
  ...row("apps/v1", true, {
    deployments: "Deployment",
    replicasets: "ReplicaSet",
    statefulsets: "StatefulSet",
    daemonsets: "DaemonSet",
    controllerrevisions: "ControllerRevision",
  }),
  ...row("batch/v1", true, { jobs: "Job", cronjobs: "CronJob" }),
  ...row("autoscaling/v2", true, { horizontalpodautoscalers: "HorizontalPodAutoscaler" }),
  ...row("rbac.authorization.k8s.io/v1", true, { roles: "Role", rolebindings: "RoleBinding" }),
  ...row("rbac.authorization.k8s.io/v1", false, {
    clusterroles: "ClusterRole",
    clusterrolebindings: "ClusterRoleBinding",
  }),
  ...row("coordination.k8s.io/v1", true, { leases: "Lease" }),
  ...row("discovery.k8s.io/v1", true, { endpointslices: "EndpointSlice" }),
  ...row("networking.k8s.io/v1", true, { ingresses: "Ingress", networkpolicies: "NetworkPolicy" }),
  ...row("networking.k8s.io/v1", false, { ingressclasses: "IngressClass" }),
  ...row("policy/v1", true, { poddisruptionbudgets: "PodDisruptionBudget" }),
  ...row("scheduling.k8s.io/v1", false, { priorityclasses: "PriorityClass" }),
  ...row("storage.k8s.io/v1", false, {
    storageclasses: "StorageClass",
    csidrivers: "CSIDriver",
    volumeattachments: "VolumeAttachment",
  }),
  ...row("admissionregistration.k8s.io/v1", false, {
    mutatingwebhookconfigurations: "MutatingWebhookConfiguration",
    validatingwebhookconfigurations: "ValidatingWebhookConfiguration",
    validatingadmissionpolicies: "ValidatingAdmissionPolicy",
    validatingadmissionpolicybindings: "ValidatingAdmissionPolicyBinding",
  }),
  ...row("apiextensions.k8s.io/v1", false, { customresourcedefinitions: "CustomResourceDefinition" }),
]);

/** Returns the path of a collection, an object or a subresource, such as `deployments/web/scale`. */
export function resourcePath(facts: ResourceInfo, short: string, namespace: string | undefined): string {
  const root = facts.apiVersion.includes("/") ? `/apis/${facts.apiVersion}` : `/api/${facts.apiVersion}`;
  return facts.namespaced && namespace !== undefined ? `${root}/namespaces/${namespace}/${short}` : `${root}/${short}`;
}
