import { controllerRevisionStrategy } from "./builtin/apps/controller-revision.ts";
import { daemonSetStrategy } from "./builtin/apps/daemon-set.ts";
import { deploymentStrategy } from "./builtin/apps/deployment.ts";
import { replicaSetStrategy } from "./builtin/apps/replica-set.ts";
import { statefulSetStrategy } from "./builtin/apps/stateful-set.ts";
import { cronJobStrategy } from "./builtin/batch/cron-job.ts";
import { jobStrategy } from "./builtin/batch/job.ts";
import { endpointsStrategy } from "./builtin/core/endpoints.ts";
import { eventStrategy } from "./builtin/core/event.ts";
import { limitRangeStrategy } from "./builtin/core/limit-range.ts";
import { nodeStrategy } from "./builtin/core/node.ts";
import { podTemplateStrategy } from "./builtin/core/pod-template.ts";
import { replicationControllerStrategy } from "./builtin/core/replication-controller.ts";
import { resourceQuotaStrategy } from "./builtin/core/resource-quota.ts";
import { serviceAccountStrategy } from "./builtin/core/service-account.ts";
import { podStrategy } from "./builtin/pod/pod.ts";
import { serviceStrategy } from "./builtin/service/service.ts";
import { persistentVolumeClaimStrategy } from "./builtin/storage/persistent-volume-claim.ts";
import { persistentVolumeStrategy } from "./builtin/storage/persistent-volume.ts";
import { GROUP_STRATEGIES } from "./builtin/group-strategies.ts";
import { crdStrategy } from "./crd.ts";
import { configMapStrategy, secretStrategy } from "./config-map-and-secret.ts";
import { namespaceStrategy } from "./namespace.ts";
import type { Resource } from "./resource.ts";
import type { KindStrategy } from "./strategy.ts";

const RULES: Readonly<Record<string, KindStrategy>> = {
  ...GROUP_STRATEGIES,
  namespaces: namespaceStrategy,
  configmaps: configMapStrategy,
  secrets: secretStrategy,
  endpoints: endpointsStrategy,
  events: eventStrategy,
  limitranges: limitRangeStrategy,
  nodes: nodeStrategy,
  persistentvolumeclaims: persistentVolumeClaimStrategy,
  persistentvolumes: persistentVolumeStrategy,
  pods: podStrategy,
  podtemplates: podTemplateStrategy,
  replicationcontrollers: replicationControllerStrategy,
  resourcequotas: resourceQuotaStrategy,
  serviceaccounts: serviceAccountStrategy,
  services: serviceStrategy,
  "controllerrevisions.apps": controllerRevisionStrategy,
  "daemonsets.apps": daemonSetStrategy,
  "deployments.apps": deploymentStrategy,
  "replicasets.apps": replicaSetStrategy,
  "statefulsets.apps": statefulSetStrategy,
  "cronjobs.batch": cronJobStrategy,
  "jobs.batch": jobStrategy,
  "customresourcedefinitions.apiextensions.k8s.io": crdStrategy,
};

/** Returns the strategy of a resource; empty for custom resources. */
export function strategyOf(resource: Resource): KindStrategy {
  return Object.hasOwn(RULES, resource.strategyId) ? (RULES[resource.strategyId] ?? {}) : {};
}
