import { controllerRevisionRules } from "./builtin/apps/controller-revision.ts";
import { daemonSetRules } from "./builtin/apps/daemon-set.ts";
import { deploymentRules } from "./builtin/apps/deployment.ts";
import { replicaSetRules } from "./builtin/apps/replica-set.ts";
import { statefulSetRules } from "./builtin/apps/stateful-set.ts";
import { cronJobRules } from "./builtin/batch/cron-job.ts";
import { jobRules } from "./builtin/batch/job.ts";
import { endpointsRules } from "./builtin/core/endpoints.ts";
import { eventRules } from "./builtin/core/event.ts";
import { limitRangeRules } from "./builtin/core/limit-range.ts";
import { nodeRules } from "./builtin/core/node.ts";
import { podTemplateRules } from "./builtin/core/pod-template.ts";
import { replicationControllerRules } from "./builtin/core/replication-controller.ts";
import { resourceQuotaRules } from "./builtin/core/resource-quota.ts";
import { serviceAccountRules } from "./builtin/core/service-account.ts";
import { podRules } from "./builtin/pod/pod.ts";
import { serviceRules } from "./builtin/service/service.ts";
import { claimRules } from "./builtin/storage/claim.ts";
import { volumeRules } from "./builtin/storage/volume.ts";
import { GROUP_RULES } from "./builtin/groups.ts";
import { crdRules } from "./crd.ts";
import { configMapRules, secretRules } from "./data.ts";
import { namespaceRules } from "./namespace.ts";
import type { Resource } from "./resource.ts";
import type { KindRules } from "./rules.ts";

const RULES: Readonly<Record<string, KindRules>> = {
  ...GROUP_RULES,
  namespaces: namespaceRules,
  configmaps: configMapRules,
  secrets: secretRules,
  endpoints: endpointsRules,
  events: eventRules,
  limitranges: limitRangeRules,
  nodes: nodeRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  pods: podRules,
  podtemplates: podTemplateRules,
  replicationcontrollers: replicationControllerRules,
  resourcequotas: resourceQuotaRules,
  serviceaccounts: serviceAccountRules,
  services: serviceRules,
  "controllerrevisions.apps": controllerRevisionRules,
  "daemonsets.apps": daemonSetRules,
  "deployments.apps": deploymentRules,
  "replicasets.apps": replicaSetRules,
  "statefulsets.apps": statefulSetRules,
  "cronjobs.batch": cronJobRules,
  "jobs.batch": jobRules,
  "customresourcedefinitions.apiextensions.k8s.io": crdRules,
};

/** What is particular to a resource; nothing for declared ones. */
export function rulesOf(resource: Resource): KindRules {
  return Object.hasOwn(RULES, resource.ruledAs) ? (RULES[resource.ruledAs] ?? {}) : {};
}
