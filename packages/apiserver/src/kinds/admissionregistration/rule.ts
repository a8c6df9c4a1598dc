import { invalidField, requiredField, unsupportedField } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";

/** A decoded, unvalidated rule that matches requests. */
export interface UnvalidatedRule {
  readonly operations?: readonly string[] | undefined;
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

/** Returns a rule with defaults. */
export function ruleWithDefaults<R extends UnvalidatedRule>(rule: R): R {
  return { ...rule, scope: rule.scope ?? "*" };
}

/** Validates a rule. */
export function* ruleErrors(path: string, rule: UnvalidatedRule): FieldErrors {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  yield* listErrors(`${path}.operations`, operations, "operations");
  for (const [index, operation] of operations.entries()) {
    if (!OPERATIONS.includes(operation)) yield unsupportedField(`${path}.operations[${index}]`, operation, OPERATIONS);
  }
  yield* listErrors(`${path}.apiGroups`, apiGroups, "API groups");
  yield* listErrors(`${path}.apiVersions`, apiVersions, "API versions");
  for (const [index, version] of apiVersions.entries()) {
    if (version === "") yield requiredField(`${path}.apiVersions[${index}]`);
  }
  yield* resourcesErrors(`${path}.resources`, resources);
  if (scope !== undefined && !SCOPES.includes(scope)) yield unsupportedField(`${path}.scope`, scope, SCOPES);
}

function* listErrors(path: string, values: readonly string[], what: string): FieldErrors {
  if (values.length === 0) yield requiredField(path);
  if (values.length > 1 && values.includes("*")) {
    yield invalidField(path, values, `if '*' is present, must not specify other ${what}`);
  }
}

function* resourcesErrors(path: string, resources: readonly string[]): FieldErrors {
  if (resources.length === 0) yield requiredField(path);
  const wholes = new Set<string>();
  const parts = new Set<string>();
  for (const [index, text] of resources.entries()) {
    const at = `${path}[${index}]`;
    if (text === "") {
      yield requiredField(at);
      continue;
    }
    const slash = text.indexOf("/");
    if (slash < 0) continue;
    const [resource, part] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholes.has(resource)) yield invalidField(at, text, `if '${resource}/*' is present, must not specify ${text}`);
    if (parts.has(part)) yield invalidField(at, text, `if '*/${part}' is present, must not specify ${text}`);
    if (part === "*") wholes.add(resource);
    if (resource === "*") parts.add(part);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    yield invalidField(path, resources, "if '*/*' is present, must not specify other resources");
  }
  // Only the last resource without subresource is compared
  // (pkg/apis/admissionregistration/validation/validation.go, Kubernetes 1.36).
  const last = resources.findLast((text) => text !== "" && !text.includes("/"));
  if (resources.includes("*") && last !== undefined && last !== "*") {
    yield invalidField(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
