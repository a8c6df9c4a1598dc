import { condition, objectMeta } from "./meta.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const servicePort: Message = message({
  name: one("string", 1),
  protocol: one("string", 2),
  port: kept("int32", 3),
  targetPort: kept("intOrString", 4),
  nodePort: one("int32", 5),
  appProtocol: kept("string", 6),
});

const serviceSpec: Message = message({
  ports: list(servicePort, 1),
  selector: map("string", 2),
  clusterIP: one("string", 3),
  type: one("string", 4),
  externalIPs: list("string", 5),
  sessionAffinity: one("string", 7),
  loadBalancerIP: one("string", 8),
  loadBalancerSourceRanges: list("string", 9),
  externalName: one("string", 10),
  externalTrafficPolicy: one("string", 11),
  healthCheckNodePort: one("int32", 12),
  publishNotReadyAddresses: one("bool", 13),
  sessionAffinityConfig: one(message({ clientIP: one(message({ timeoutSeconds: kept("int32", 1) }), 1) }), 14),
  ipFamilyPolicy: kept("string", 17),
  clusterIPs: list("string", 18),
  ipFamilies: list("string", 19),
  allocateLoadBalancerNodePorts: kept("bool", 20),
  loadBalancerClass: kept("string", 21),
  internalTrafficPolicy: kept("string", 22),
  trafficDistribution: kept("string", 23),
});

const loadBalancerStatus: Message = message({
  ingress: list(
    message({
      ip: one("string", 1),
      hostname: one("string", 2),
      ipMode: kept("string", 3),
      ports: list(message({ port: kept("int32", 1), protocol: kept("string", 2), error: kept("string", 3) }), 4),
    }),
    1,
  ),
});

export const service: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(serviceSpec, 2),
  status: one(message({ loadBalancer: one(loadBalancerStatus, 1), conditions: list(condition, 2) }), 3),
});
