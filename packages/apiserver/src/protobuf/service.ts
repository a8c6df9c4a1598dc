import { condition, objectMeta } from "./meta.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const servicePort: MessageTable = messageTable({
  name: omitEmptyField("string", 1),
  protocol: omitEmptyField("string", 2),
  port: presentField("int32", 3),
  targetPort: presentField("intOrString", 4),
  nodePort: omitEmptyField("int32", 5),
  appProtocol: presentField("string", 6),
});

const serviceSpec: MessageTable = messageTable({
  ports: repeatedField(servicePort, 1),
  selector: mapField("string", 2),
  clusterIP: omitEmptyField("string", 3),
  type: omitEmptyField("string", 4),
  externalIPs: repeatedField("string", 5),
  sessionAffinity: omitEmptyField("string", 7),
  loadBalancerIP: omitEmptyField("string", 8),
  loadBalancerSourceRanges: repeatedField("string", 9),
  externalName: omitEmptyField("string", 10),
  externalTrafficPolicy: omitEmptyField("string", 11),
  healthCheckNodePort: omitEmptyField("int32", 12),
  publishNotReadyAddresses: omitEmptyField("bool", 13),
  sessionAffinityConfig: omitEmptyField(
    messageTable({ clientIP: omitEmptyField(messageTable({ timeoutSeconds: presentField("int32", 1) }), 1) }),
    14,
  ),
  ipFamilyPolicy: presentField("string", 17),
  clusterIPs: repeatedField("string", 18),
  ipFamilies: repeatedField("string", 19),
  allocateLoadBalancerNodePorts: presentField("bool", 20),
  loadBalancerClass: presentField("string", 21),
  internalTrafficPolicy: presentField("string", 22),
  trafficDistribution: presentField("string", 23),
});

const loadBalancerStatus: MessageTable = messageTable({
  ingress: repeatedField(
    messageTable({
      ip: omitEmptyField("string", 1),
      hostname: omitEmptyField("string", 2),
      ipMode: presentField("string", 3),
      ports: repeatedField(
        messageTable({
          port: presentField("int32", 1),
          protocol: presentField("string", 2),
          error: presentField("string", 3),
        }),
        4,
      ),
    }),
    1,
  ),
});

export const service: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(serviceSpec, 2),
  status: omitEmptyField(
    messageTable({ loadBalancer: omitEmptyField(loadBalancerStatus, 1), conditions: repeatedField(condition, 2) }),
    3,
  ),
});
