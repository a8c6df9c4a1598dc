import type { JsonObject } from "@levelset/core";
import type { Resource } from "./resource.ts";
import { resourceApiVersion } from "./resource.ts";

const SPEC: JsonObject = { spec: {} };
const SPEC_STATUS: JsonObject = { spec: {}, status: {} };
const BALANCED: JsonObject = { spec: {}, status: { loadBalancer: {} } };
const TEMPLATE: JsonObject = { metadata: {}, spec: { containers: null } };
const RULES: JsonObject = { rules: null };
const ROLE_REF: JsonObject = { roleRef: { apiGroup: "", kind: "", name: "" } };

/**
 * Zero values of built-in kinds: the fields that Go encodes even if they are empty (no `omitempty` in k8s.io/api,
 * Kubernetes 1.36). A manager does not own these fields, only the fields inside them.
 */
const BLANKS: Readonly<Record<string, JsonObject>> = {
  events: {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: "",
    reportingInstance: "",
  },
  limitranges: { spec: { limits: null } },
  namespaces: SPEC_STATUS,
  nodes: { spec: {}, status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: {} } },
  persistentvolumes: SPEC_STATUS,
  persistentvolumeclaims: { spec: { resources: {} }, status: {} },
  pods: { spec: { containers: null }, status: {} },
  podtemplates: { template: TEMPLATE },
  replicationcontrollers: { spec: {}, status: { replicas: 0 } },
  resourcequotas: SPEC_STATUS,
  services: BALANCED,
  "customresourcedefinitions.apiextensions.k8s.io": {
    spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: null },
    status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null },
  },
  "validatingadmissionpolicies.admissionregistration.k8s.io": SPEC_STATUS,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": SPEC,
  "controllerrevisions.apps": { revision: 0 },
  "daemonsets.apps": {
    spec: { selector: null, template: TEMPLATE, updateStrategy: {} },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  },
  "deployments.apps": { spec: { selector: null, template: TEMPLATE, strategy: {} }, status: {} },
  "replicasets.apps": { spec: { selector: null, template: TEMPLATE }, status: { replicas: 0 } },
  "statefulsets.apps": {
    spec: { selector: null, template: TEMPLATE, serviceName: "", updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  "horizontalpodautoscalers.autoscaling": {
    spec: { scaleTargetRef: { kind: "", name: "" }, maxReplicas: 0 },
    status: { desiredReplicas: 0, currentMetrics: null },
  },
  "cronjobs.batch": {
    spec: { schedule: "", jobTemplate: { metadata: {}, spec: { template: TEMPLATE } } },
    status: {},
  },
  "jobs.batch": { spec: { template: TEMPLATE }, status: {} },
  "leases.coordination.k8s.io": SPEC,
  "endpointslices.discovery.k8s.io": { addressType: "", endpoints: null, ports: null },
  "events.events.k8s.io": {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
  "ingresses.networking.k8s.io": BALANCED,
  "ingressclasses.networking.k8s.io": SPEC,
  "networkpolicies.networking.k8s.io": { spec: { podSelector: {} } },
  "poddisruptionbudgets.policy": {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  "clusterroles.rbac.authorization.k8s.io": RULES,
  "roles.rbac.authorization.k8s.io": RULES,
  "clusterrolebindings.rbac.authorization.k8s.io": ROLE_REF,
  "rolebindings.rbac.authorization.k8s.io": ROLE_REF,
  "priorityclasses.scheduling.k8s.io": { value: 0 },
  "storageclasses.storage.k8s.io": { provisioner: "" },
  "csidrivers.storage.k8s.io": SPEC,
  "volumeattachments.storage.k8s.io": {
    spec: { attacher: "", source: {}, nodeName: "" },
    status: { attached: false },
  },
};

/** Returns the zero value of a resource. */
export function zeroValueOf(resource: Resource): JsonObject {
  const type = { apiVersion: resourceApiVersion(resource), kind: resource.kind };
  if (resource.isCustom) return type;
  return { ...type, metadata: {}, ...(Object.hasOwn(BLANKS, resource.id) ? BLANKS[resource.id] : {}) };
}
