import { localObjectReference, objectMeta, objectReference } from "./meta.ts";
import { presentField, repeatedField, mapField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

export const namespace: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(messageTable({ finalizers: repeatedField("string", 1) }), 2),
  status: omitEmptyField(
    messageTable({
      phase: omitEmptyField("string", 1),
      conditions: repeatedField(
        messageTable({
          type: presentField("string", 1),
          status: presentField("string", 2),
          lastTransitionTime: omitEmptyField("time", 4),
          reason: omitEmptyField("string", 5),
          message: omitEmptyField("string", 6),
        }),
        2,
      ),
    }),
    3,
  ),
});

export const configMap: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  data: mapField("string", 2),
  binaryData: mapField("bytes", 3),
  immutable: presentField("bool", 4),
});

export const secret: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  data: mapField("bytes", 2),
  type: omitEmptyField("string", 3),
  stringData: mapField("string", 4),
  immutable: presentField("bool", 5),
});

export const serviceAccount: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  secrets: repeatedField(objectReference, 2),
  imagePullSecrets: repeatedField(localObjectReference, 3),
  automountServiceAccountToken: presentField("bool", 4),
});

const resourceQuotaSpec: MessageTable = messageTable({
  hard: mapField("quantity", 1),
  scopes: repeatedField("string", 2),
  scopeSelector: omitEmptyField(
    messageTable({
      matchExpressions: repeatedField(
        messageTable({
          scopeName: presentField("string", 1),
          operator: presentField("string", 2),
          values: repeatedField("string", 3),
        }),
        1,
      ),
    }),
    3,
  ),
});

export const resourceQuota: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(resourceQuotaSpec, 2),
  status: omitEmptyField(messageTable({ hard: mapField("quantity", 1), used: mapField("quantity", 2) }), 3),
});

const limitRangeItem: MessageTable = messageTable({
  type: presentField("string", 1),
  max: mapField("quantity", 2),
  min: mapField("quantity", 3),
  default: mapField("quantity", 4),
  defaultRequest: mapField("quantity", 5),
  maxLimitRequestRatio: mapField("quantity", 6),
});

export const limitRange: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(messageTable({ limits: repeatedField(limitRangeItem, 1) }), 2),
});
