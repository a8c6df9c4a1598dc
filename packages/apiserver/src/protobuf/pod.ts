import { affinity, toleration, topologySpreadConstraint } from "./affinity.ts";
import { container, ephemeralContainer, resourceRequirements } from "./container.ts";
import { localObjectReference, objectMeta } from "./meta.ts";
import { podStatus } from "./pod-status.ts";
import { podSecurityContext } from "./security.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";
import { volume } from "./volume.ts";

const named: MessageTable = messageTable({ name: presentField("string", 1) });

const podSpec: MessageTable = messageTable({
  volumes: repeatedField(volume, 1),
  containers: repeatedField(container, 2),
  restartPolicy: omitEmptyField("string", 3),
  terminationGracePeriodSeconds: presentField("int64", 4),
  activeDeadlineSeconds: presentField("int64", 5),
  dnsPolicy: omitEmptyField("string", 6),
  nodeSelector: mapField("string", 7),
  serviceAccountName: omitEmptyField("string", 8),
  serviceAccount: omitEmptyField("string", 9),
  nodeName: omitEmptyField("string", 10),
  hostNetwork: omitEmptyField("bool", 11),
  hostPID: omitEmptyField("bool", 12),
  hostIPC: omitEmptyField("bool", 13),
  securityContext: omitEmptyField(podSecurityContext, 14),
  imagePullSecrets: repeatedField(localObjectReference, 15),
  hostname: omitEmptyField("string", 16),
  subdomain: omitEmptyField("string", 17),
  affinity: omitEmptyField(affinity, 18),
  schedulerName: omitEmptyField("string", 19),
  initContainers: repeatedField(container, 20),
  automountServiceAccountToken: presentField("bool", 21),
  tolerations: repeatedField(toleration, 22),
  hostAliases: repeatedField(
    messageTable({ ip: presentField("string", 1), hostnames: repeatedField("string", 2) }),
    23,
  ),
  priorityClassName: omitEmptyField("string", 24),
  priority: presentField("int32", 25),
  dnsConfig: omitEmptyField(
    messageTable({
      nameservers: repeatedField("string", 1),
      searches: repeatedField("string", 2),
      options: repeatedField(messageTable({ name: omitEmptyField("string", 1), value: presentField("string", 2) }), 3),
    }),
    26,
  ),
  shareProcessNamespace: presentField("bool", 27),
  readinessGates: repeatedField(messageTable({ conditionType: presentField("string", 1) }), 28),
  runtimeClassName: presentField("string", 29),
  enableServiceLinks: presentField("bool", 30),
  preemptionPolicy: presentField("string", 31),
  overhead: mapField("quantity", 32),
  topologySpreadConstraints: repeatedField(topologySpreadConstraint, 33),
  ephemeralContainers: repeatedField(ephemeralContainer, 34),
  setHostnameAsFQDN: presentField("bool", 35),
  os: omitEmptyField(named, 36),
  hostUsers: presentField("bool", 37),
  schedulingGates: repeatedField(named, 38),
  resourceClaims: repeatedField(
    messageTable({
      name: presentField("string", 1),
      resourceClaimName: presentField("string", 3),
      resourceClaimTemplateName: presentField("string", 4),
    }),
    39,
  ),
  resources: omitEmptyField(resourceRequirements, 40),
  hostnameOverride: presentField("string", 41),
  schedulingGroup: omitEmptyField(messageTable({ podGroupName: presentField("string", 1) }), 43),
});

export const pod: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(podSpec, 2),
  status: omitEmptyField(podStatus, 3),
});

export const podTemplateSpec: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(podSpec, 2),
});
