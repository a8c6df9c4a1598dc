import { affinity, toleration, topologySpreadConstraint } from "./affinity.ts";
import { container, ephemeralContainer, resourceRequirements } from "./container.ts";
import { localObjectReference, objectMeta } from "./meta.ts";
import { podStatus } from "./pod-status.ts";
import { podSecurityContext } from "./security.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";
import { volume } from "./volume.ts";

const named: Message = message({ name: kept("string", 1) });

const podSpec: Message = message({
  volumes: list(volume, 1),
  containers: list(container, 2),
  restartPolicy: one("string", 3),
  terminationGracePeriodSeconds: kept("int64", 4),
  activeDeadlineSeconds: kept("int64", 5),
  dnsPolicy: one("string", 6),
  nodeSelector: map("string", 7),
  serviceAccountName: one("string", 8),
  serviceAccount: one("string", 9),
  nodeName: one("string", 10),
  hostNetwork: one("bool", 11),
  hostPID: one("bool", 12),
  hostIPC: one("bool", 13),
  securityContext: one(podSecurityContext, 14),
  imagePullSecrets: list(localObjectReference, 15),
  hostname: one("string", 16),
  subdomain: one("string", 17),
  affinity: one(affinity, 18),
  schedulerName: one("string", 19),
  initContainers: list(container, 20),
  automountServiceAccountToken: kept("bool", 21),
  tolerations: list(toleration, 22),
  hostAliases: list(message({ ip: kept("string", 1), hostnames: list("string", 2) }), 23),
  priorityClassName: one("string", 24),
  priority: kept("int32", 25),
  dnsConfig: one(
    message({
      nameservers: list("string", 1),
      searches: list("string", 2),
      options: list(message({ name: one("string", 1), value: kept("string", 2) }), 3),
    }),
    26,
  ),
  shareProcessNamespace: kept("bool", 27),
  readinessGates: list(message({ conditionType: kept("string", 1) }), 28),
  runtimeClassName: kept("string", 29),
  enableServiceLinks: kept("bool", 30),
  preemptionPolicy: kept("string", 31),
  overhead: map("quantity", 32),
  topologySpreadConstraints: list(topologySpreadConstraint, 33),
  ephemeralContainers: list(ephemeralContainer, 34),
  setHostnameAsFQDN: kept("bool", 35),
  os: one(named, 36),
  hostUsers: kept("bool", 37),
  schedulingGates: list(named, 38),
  resourceClaims: list(
    message({
      name: kept("string", 1),
      resourceClaimName: kept("string", 3),
      resourceClaimTemplateName: kept("string", 4),
    }),
    39,
  ),
  resources: one(resourceRequirements, 40),
  hostnameOverride: kept("string", 41),
  schedulingGroup: one(message({ podGroupName: kept("string", 1) }), 43),
});

export const pod: Message = message({ metadata: one(objectMeta, 1), spec: one(podSpec, 2), status: one(podStatus, 3) });

export const podTemplateSpec: Message = message({ metadata: one(objectMeta, 1), spec: one(podSpec, 2) });
