import { typedLocalObjectReference } from "./claim.ts";
import { objectMeta } from "./meta.ts";
import { inline, kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

const ingressBackend: Message = message({
  resource: one(typedLocalObjectReference, 3),
  service: one(
    message({ name: kept("string", 1), port: one(message({ name: one("string", 1), number: one("int32", 2) }), 2) }),
    4,
  ),
});

const ingressSpec: Message = message({
  defaultBackend: one(ingressBackend, 1),
  tls: list(message({ hosts: list("string", 1), secretName: one("string", 2) }), 2),
  rules: list(
    message({
      host: one("string", 1),
      ingressRuleValue: inline(
        message({
          http: one(
            message({
              paths: list(
                message({ path: one("string", 1), backend: one(ingressBackend, 2), pathType: kept("string", 3) }),
                1,
              ),
            }),
            1,
          ),
        }),
        2,
      ),
    }),
    3,
  ),
  ingressClassName: kept("string", 4),
});

const ingressStatus: Message = message({
  loadBalancer: one(
    message({
      ingress: list(
        message({
          ip: one("string", 1),
          hostname: one("string", 2),
          ports: list(message({ port: kept("int32", 1), protocol: kept("string", 2), error: kept("string", 3) }), 4),
        }),
        1,
      ),
    }),
    1,
  ),
});

export const ingress: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(ingressSpec, 2),
  status: one(ingressStatus, 3),
});
