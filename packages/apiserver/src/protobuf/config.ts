import { localObjectReference, objectMeta, objectReference } from "./meta.ts";
import { kept, list, map, message, one } from "./table.ts";
import type { Message } from "./table.ts";

export const namespace: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(message({ finalizers: list("string", 1) }), 2),
  status: one(
    message({
      phase: one("string", 1),
      conditions: list(
        message({
          type: kept("string", 1),
          status: kept("string", 2),
          lastTransitionTime: one("time", 4),
          reason: one("string", 5),
          message: one("string", 6),
        }),
        2,
      ),
    }),
    3,
  ),
});

export const configMap: Message = message({
  metadata: one(objectMeta, 1),
  data: map("string", 2),
  binaryData: map("bytes", 3),
  immutable: kept("bool", 4),
});

export const secret: Message = message({
  metadata: one(objectMeta, 1),
  data: map("bytes", 2),
  type: one("string", 3),
  stringData: map("string", 4),
  immutable: kept("bool", 5),
});

export const serviceAccount: Message = message({
  metadata: one(objectMeta, 1),
  secrets: list(objectReference, 2),
  imagePullSecrets: list(localObjectReference, 3),
  automountServiceAccountToken: kept("bool", 4),
});

const resourceQuotaSpec: Message = message({
  hard: map("quantity", 1),
  scopes: list("string", 2),
  scopeSelector: one(
    message({
      matchExpressions: list(
        message({ scopeName: kept("string", 1), operator: kept("string", 2), values: list("string", 3) }),
        1,
      ),
    }),
    3,
  ),
});

export const resourceQuota: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(resourceQuotaSpec, 2),
  status: one(message({ hard: map("quantity", 1), used: map("quantity", 2) }), 3),
});

const limitRangeItem: Message = message({
  type: kept("string", 1),
  max: map("quantity", 2),
  min: map("quantity", 3),
  default: map("quantity", 4),
  defaultRequest: map("quantity", 5),
  maxLimitRequestRatio: map("quantity", 6),
});

export const limitRange: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(message({ limits: list(limitRangeItem, 1) }), 2),
});
