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

/** `extra` of the user is left out: nobody asks with an answer. */
export const selfSubjectReview: Message = message({
  metadata: one(objectMeta, 1),
  status: one(
    message({
      userInfo: one(
        message({
          username: one("string", 1),
          uid: one("string", 2),
          groups: list("string", 3),
        }),
        1,
      ),
    }),
    2,
  ),
});

export const selfSubjectRulesReview: Message = message({
  metadata: one(objectMeta, 1),
  spec: one(message({ namespace: one("string", 1) }), 2),
  status: one(
    message({
      resourceRules: list(
        message({
          verbs: list("string", 1),
          apiGroups: list("string", 2),
          resources: list("string", 3),
          resourceNames: list("string", 4),
        }),
        1,
      ),
      nonResourceRules: list(message({ verbs: list("string", 1), nonResourceURLs: list("string", 2) }), 2),
      incomplete: kept("bool", 3),
      evaluationError: one("string", 4),
    }),
    3,
  ),
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
