import { objectMeta, selectorRequirement } from "./meta.ts";
import { presentField, repeatedField, messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

export const tokenRequest: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      audiences: repeatedField("string", 1),
      boundObjectRef: omitEmptyField(
        messageTable({
          kind: omitEmptyField("string", 1),
          apiVersion: omitEmptyField("string", 2),
          name: omitEmptyField("string", 3),
          uid: omitEmptyField("string", 4),
        }),
        3,
      ),
      expirationSeconds: presentField("int64", 4),
    }),
    2,
  ),
  status: omitEmptyField(
    messageTable({ token: presentField("string", 1), expirationTimestamp: omitEmptyField("time", 2) }),
    3,
  ),
});

const selectorAttributes: MessageTable = messageTable({
  rawSelector: omitEmptyField("string", 1),
  requirements: repeatedField(selectorRequirement, 2),
});

const resourceAttributes: MessageTable = messageTable({
  namespace: omitEmptyField("string", 1),
  verb: omitEmptyField("string", 2),
  group: omitEmptyField("string", 3),
  version: omitEmptyField("string", 4),
  resource: omitEmptyField("string", 5),
  subresource: omitEmptyField("string", 6),
  name: omitEmptyField("string", 7),
  fieldSelector: omitEmptyField(selectorAttributes, 8),
  labelSelector: omitEmptyField(selectorAttributes, 9),
});

/** `extra` of the user is omitted, because clients send the review without a status. */
export const selfSubjectReview: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  status: omitEmptyField(
    messageTable({
      userInfo: omitEmptyField(
        messageTable({
          username: omitEmptyField("string", 1),
          uid: omitEmptyField("string", 2),
          groups: repeatedField("string", 3),
        }),
        1,
      ),
    }),
    2,
  ),
});

export const selfSubjectRulesReview: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(messageTable({ namespace: omitEmptyField("string", 1) }), 2),
  status: omitEmptyField(
    messageTable({
      resourceRules: repeatedField(
        messageTable({
          verbs: repeatedField("string", 1),
          apiGroups: repeatedField("string", 2),
          resources: repeatedField("string", 3),
          resourceNames: repeatedField("string", 4),
        }),
        1,
      ),
      nonResourceRules: repeatedField(
        messageTable({ verbs: repeatedField("string", 1), nonResourceURLs: repeatedField("string", 2) }),
        2,
      ),
      incomplete: presentField("bool", 3),
      evaluationError: omitEmptyField("string", 4),
    }),
    3,
  ),
});

export const selfSubjectAccessReview: MessageTable = messageTable({
  metadata: omitEmptyField(objectMeta, 1),
  spec: omitEmptyField(
    messageTable({
      resourceAttributes: omitEmptyField(resourceAttributes, 1),
      nonResourceAttributes: omitEmptyField(
        messageTable({ path: omitEmptyField("string", 1), verb: omitEmptyField("string", 2) }),
        2,
      ),
    }),
    2,
  ),
  status: omitEmptyField(
    messageTable({
      allowed: presentField("bool", 1),
      reason: omitEmptyField("string", 2),
      evaluationError: omitEmptyField("string", 3),
      denied: omitEmptyField("bool", 4),
    }),
    3,
  ),
});
