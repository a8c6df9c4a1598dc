import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

function admission(kind: string, name: string, fields: JsonObject): JsonObject {
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, ...fields };
}

// About a resource that does not exist, so that nobody is ever asked.
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
  { name: "a webhook that changes things", body: mutating("a", {}) },
  { name: "a webhook of a service", body: validating("a", withService({ name: "s", namespace: "n" })) },
  { name: "no webhooks", body: admission("ValidatingWebhookConfiguration", "a", {}) },
  { name: "a webhook without anything", body: admission("ValidatingWebhookConfiguration", "a", { webhooks: [{}] }) },
  { name: "a webhook with a short name", body: validating("a", { name: "a.b" }) },
  { name: "a webhook with a bad name", body: validating("a", { name: "A_" }) },
  { name: "webhooks of one name", body: admission("MutatingWebhookConfiguration", "a", { webhooks: [hook, hook] }) },
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
    name: "a webhook that is reached two ways",
    body: validating("a", { clientConfig: { url: "https://a.b", service: { name: "s", namespace: "n" } } }),
  },
  {
    name: "a webhook with a bad address",
    body: validating("a", { clientConfig: { url: "http://u:p@a.b/c?d#e" } }),
    words: "the real server shows who is named",
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
  { name: "a rule of nothing", body: validating("a", { rules: [{}] }) },
  {
    name: "a rule of too much",
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
    name: "conditions that are none",
    body: validating("a", {
      matchConditions: [
        { name: "", expression: "" },
        { name: "b", expression: "1 +" },
        { name: "c", expression: "'text'" },
      ],
    }),
    words: "the compilers word it differently",
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
  { name: "a policy of nothing", body: admission("ValidatingAdmissionPolicy", "a", { spec: {} }) },
  { name: "a policy about nothing", body: policy("a", { matchConstraints: {} }) },
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
    name: "rules that are none",
    body: policy("a", { validations: [{ expression: "" }, { expression: "1 +" }, { expression: "'text'" }] }),
    words: "the compilers word it differently",
  },
  { name: "bad variables", body: policy("a", { variables: [{ name: "1a", expression: "" }] }) },
  {
    name: "bad notes",
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
  { name: "a binding of no policy", body: admission("ValidatingAdmissionPolicyBinding", "a", { spec: {} }) },
  {
    name: "a binding with unknown actions",
    body: binding("a", { policyName: "P_", validationActions: ["Deny", "Warn", "Deny", "Cry"] }),
  },
  {
    name: "a binding with bad parameters",
    body: binding("a", { paramRef: { name: "a/b", selector: {}, parameterNotFoundAction: "Maybe" } }),
    words: "the real server shows a pointer",
  },
  { name: "a binding with parameters of nothing", body: binding("a", { paramRef: {} }) },
];

/** Who is asked before something is written. */
export const ADMISSION: readonly Case[] = [...WEBHOOKS, ...POLICIES];
