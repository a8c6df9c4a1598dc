import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

function admission(kind: string, name: string, fields: JsonObject): JsonObject {
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, ...fields };
}

// A resource that does not exist, so that the webhook is never called.
const rule: JsonObject = {
  operations: ["CREATE"],
  apiGroups: ["differential.example.com"],
  apiVersions: ["v1"],
  resources: ["nothings"],
};
const hook: JsonObject = {
  name: "a.b.c",
  clientConfig: { url: "https://a.b/c" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [rule],
};
const validating = (name: string, fields: JsonObject): JsonObject =>
  admission("ValidatingWebhookConfiguration", name, { webhooks: [{ ...hook, ...fields }] });
const mutating = (name: string, fields: JsonObject): JsonObject =>
  admission("MutatingWebhookConfiguration", name, { webhooks: [{ ...hook, ...fields }] });
const withService = (service: JsonObject): JsonObject => ({ clientConfig: { service } });

const WEBHOOKS: readonly Case[] = [
  { name: "a webhook", body: validating("a", {}) },
  { name: "a mutating webhook", body: mutating("a", {}) },
  { name: "a webhook of a service", body: validating("a", withService({ name: "s", namespace: "n" })) },
  { name: "no webhooks", body: admission("ValidatingWebhookConfiguration", "a", {}) },
  { name: "an empty webhook", body: admission("ValidatingWebhookConfiguration", "a", { webhooks: [{}] }) },
  { name: "a webhook with a short name", body: validating("a", { name: "a.b" }) },
  { name: "a webhook with a bad name", body: validating("a", { name: "A_" }) },
  {
    name: "webhooks of the same name",
    body: admission("MutatingWebhookConfiguration", "a", { webhooks: [hook, hook] }),
  },
  {
    name: "a webhook with unknown choices",
    body: mutating("a", {
      failurePolicy: "Cry",
      matchPolicy: "Any",
      sideEffects: "Some",
      reinvocationPolicy: "Often",
      timeoutSeconds: 31,
    }),
  },
  {
    name: "a webhook with both URL and service",
    body: validating("a", { clientConfig: { url: "https://a.b", service: { name: "s", namespace: "n" } } }),
  },
  {
    name: "a webhook with a bad URL",
    body: validating("a", { clientConfig: { url: "http://u:p@a.b/c?d#e" } }),
    messageDifference: "kube-apiserver prints the named user",
  },
  { name: "a webhook of a service without names", body: validating("a", withService({ port: 0, path: "a//B_" })) },
  { name: "a webhook of unknown versions", body: validating("a", { admissionReviewVersions: ["v9", "v9", "9"] }) },
  {
    name: "a webhook with bad selectors",
    body: validating("a", {
      namespaceSelector: { matchLabels: { "a b": "c" } },
      objectSelector: { matchExpressions: [{ key: "a", operator: "Like" }] },
    }),
  },
  { name: "an empty rule", body: validating("a", { rules: [{}] }) },
  {
    name: "a rule with mixed wildcards",
    body: validating("a", {
      rules: [
        {
          operations: ["*", "CREATE", "READ"],
          apiGroups: ["*", "a"],
          apiVersions: ["*", ""],
          resources: ["*", "pods", "pods/*", "pods/log", "*/*"],
          scope: "World",
        },
      ],
    }),
  },
  {
    name: "conditions in CEL",
    body: validating("a", { matchConditions: [{ name: "a", expression: "request.userInfo.username != 'x'" }] }),
  },
  {
    name: "invalid match conditions",
    body: validating("a", {
      matchConditions: [
        { name: "", expression: "" },
        { name: "b", expression: "1 +" },
        { name: "c", expression: "'text'" },
      ],
    }),
    messageDifference: "the compilers use different messages",
  },
  {
    name: "a webhook that is changed",
    body: validating("changed", {}),
    changes: [
      { merge: { webhooks: [{ ...hook, timeoutSeconds: 5 }] } },
      { merge: { webhooks: [{ ...hook, sideEffects: "Some" }] } },
      { merge: { metadata: { labels: { a: "b" } } } },
    ],
  },
];

const match: JsonObject = { resourceRules: [rule] };
const policy = (name: string, spec: JsonObject): JsonObject =>
  admission("ValidatingAdmissionPolicy", name, {
    spec: { matchConstraints: match, validations: [{ expression: "object.spec.x > 1" }], ...spec },
  });
const binding = (name: string, spec: JsonObject): JsonObject =>
  admission("ValidatingAdmissionPolicyBinding", name, {
    spec: { policyName: "p", validationActions: ["Deny"], ...spec },
  });

const POLICIES: readonly Case[] = [
  { name: "a policy", body: policy("a", {}) },
  {
    name: "a policy with everything",
    body: policy("a", {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      variables: [{ name: "v", expression: "params.data" }],
      matchConditions: [{ name: "m", expression: "true" }],
      auditAnnotations: [{ key: "k", valueExpression: "'x'" }],
      validations: [
        { expression: "variables.v == null", message: "no", messageExpression: "'because'", reason: "Forbidden" },
      ],
    }),
  },
  { name: "an empty policy", body: admission("ValidatingAdmissionPolicy", "a", { spec: {} }) },
  { name: "a policy without match constraints", body: policy("a", { matchConstraints: {} }) },
  {
    name: "a policy with unknown choices",
    body: policy("a", {
      failurePolicy: "Cry",
      matchConstraints: { ...match, matchPolicy: "Any" },
      validations: [{ expression: "true", reason: "Because", message: " " }],
    }),
  },
  {
    name: "a policy of a bad kind of parameters",
    body: policy("a", { paramKind: { apiVersion: "a/b/c", kind: "a b" } }),
  },
  {
    name: "a policy with names of objects",
    body: policy("a", { matchConstraints: { resourceRules: [{ ...rule, resourceNames: ["a", "a", "b/c"] }] } }),
  },
  {
    name: "invalid expressions",
    body: policy("a", { validations: [{ expression: "" }, { expression: "1 +" }, { expression: "'text'" }] }),
    messageDifference: "the compilers use different messages",
  },
  { name: "bad variables", body: policy("a", { variables: [{ name: "1a", expression: "" }] }) },
  {
    name: "bad audit annotations",
    body: policy("a", {
      auditAnnotations: [
        { key: "a b", valueExpression: "" },
        { key: "k", valueExpression: "'x'" },
        { key: "k", valueExpression: "'x'" },
      ],
    }),
  },
  {
    name: "a policy that is changed",
    body: policy("changed", {}),
    changes: [{ merge: { spec: { failurePolicy: "Ignore" } } }, { merge: { spec: { validations: [] } } }],
  },
  { name: "a binding of a policy", body: binding("a", {}) },
  {
    name: "a binding of a policy to some",
    body: binding("a", {
      matchResources: match,
      paramRef: { name: "x", namespace: "n", parameterNotFoundAction: "Allow" },
    }),
  },
  { name: "a binding without a policy", body: admission("ValidatingAdmissionPolicyBinding", "a", { spec: {} }) },
  {
    name: "a binding with unknown actions",
    body: binding("a", { policyName: "P_", validationActions: ["Deny", "Warn", "Deny", "Cry"] }),
  },
  {
    name: "a binding with bad parameters",
    body: binding("a", { paramRef: { name: "a/b", selector: {}, parameterNotFoundAction: "Maybe" } }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "a binding with empty parameters", body: binding("a", { paramRef: {} }) },
];

/** Webhooks and admission policies. */
export const ADMISSION: readonly Case[] = [...WEBHOOKS, ...POLICIES];
