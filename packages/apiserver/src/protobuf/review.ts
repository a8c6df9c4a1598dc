import { objectMeta, selectorRequirement } from "./meta.ts";
import { kept, list, message, one } from "./table.ts";
import type { Message } from "./table.ts";

export const tokenRequest: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      audiences: list("string", 1),
      boundObjectRef: one(
        message({
          kind: one("string", 1),
          apiVersion: one("string", 2),
          name: one("string", 3),
          uid: one("string", 4),
        }),
        3,
      ),
      expirationSeconds: kept("int64", 4),
    }),
    2,
  ),
  status: one(message({ token: kept("string", 1), expirationTimestamp: one("time", 2) }), 3),
});

const selectorAttributes: Message = message({
  rawSelector: one("string", 1),
  requirements: list(selectorRequirement, 2),
});

const resourceAttributes: Message = message({
  namespace: one("string", 1),
  verb: one("string", 2),
  group: one("string", 3),
  version: one("string", 4),
  resource: one("string", 5),
  subresource: one("string", 6),
  name: one("string", 7),
  fieldSelector: one(selectorAttributes, 8),
  labelSelector: one(selectorAttributes, 9),
});

export const selfSubjectAccessReview: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(
    message({
      resourceAttributes: one(resourceAttributes, 1),
      nonResourceAttributes: one(message({ path: one("string", 1), verb: one("string", 2) }), 2),
    }),
    2,
  ),
  status: one(
    message({
      allowed: kept("bool", 1),
      reason: one("string", 2),
      evaluationError: one("string", 3),
      denied: one("bool", 4),
    }),
    3,
  ),
});
