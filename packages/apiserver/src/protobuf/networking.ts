import { typedLocalObjectReference } from "./persistent-volume-claim.ts";
import { objectMeta } from "./meta.ts";
import { embeddedField, presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const ingressBackend: MessageTable = messageTable({
  resource: omitEmptyField(typedLocalObjectReference, 3),
  service: omitEmptyField(
    messageTable({
      name: presentField("string", 1),
      port: omitEmptyField(messageTable({ name: omitEmptyField("string", 1), number: omitEmptyField("int32", 2) }), 2),
    }),
    4,
  ),
});

const ingressSpec: MessageTable = messageTable({
  defaultBackend: omitEmptyField(ingressBackend, 1),
  tls: repeatedField(messageTable({ hosts: repeatedField("string", 1), secretName: omitEmptyField("string", 2) }), 2),
  rules: repeatedField(
    messageTable({
      host: omitEmptyField("string", 1),
      ingressRuleValue: embeddedField(
        messageTable({
          http: omitEmptyField(
            messageTable({
              paths: repeatedField(
                messageTable({
                  path: omitEmptyField("string", 1),
                  backend: omitEmptyField(ingressBackend, 2),
                  pathType: presentField("string", 3),
                }),
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
  ingressClassName: presentField("string", 4),
});

const ingressStatus: MessageTable = messageTable({
  loadBalancer: omitEmptyField(
    messageTable({
      ingress: repeatedField(
        messageTable({
          ip: omitEmptyField("string", 1),
          hostname: omitEmptyField("string", 2),
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
    }),
    1,
  ),
});

export const ingress: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(ingressSpec, 2),
  status: omitEmptyField(ingressStatus, 3),
});
