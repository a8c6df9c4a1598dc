import { deepEqual, parseUrl, UrlError } from "@levelset/core/internal";
import type { MutatingWebhookConfiguration, ObjectOf, ValidatingWebhookConfiguration } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, Printer } from "../../resource/index.ts";
import {
  duplicateField,
  invalidField,
  requiredField,
  unsupportedField,
  dns1035Problems,
  dnsSubdomainProblems,
  AGE_COLUMN,
  integerColumn,
  NAME_COLUMN,
  printer,
} from "../../resource/index.ts";
import { isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { matchConditionsErrors } from "./match-condition.ts";
import { ruleErrors, ruleWithDefaults } from "./rule.ts";

// Mutating webhooks have one additional field, which is undefined for validating ones.
type Webhook = Unvalidated<NonNullable<ObjectOf<typeof MutatingWebhookConfiguration>["webhooks"]>[number]>;

type ClientConfig = NonNullable<Webhook["clientConfig"]>;

type Service = NonNullable<ClientConfig["service"]>;

const FAILURE_POLICIES = ["Fail", "Ignore"];

const MATCH_POLICIES = ["Equivalent", "Exact"];

const REINVOCATION_POLICIES = ["IfNeeded", "Never"];

const NO_SIDE_EFFECTS = ["None", "NoneOnDryRun"];

const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some", "Unknown"];

const REVIEW_VERSIONS = ["v1", "v1beta1"];

function hooksOf(object: UnvalidatedObject | ApiObject): readonly Webhook[] {
  return unvalidatedField<readonly Webhook[]>(object, "webhooks") ?? [];
}

export function withWebhookDefaults(draft: UnvalidatedObject, more: Partial<Webhook>): UnvalidatedObject {
  const hooks = hooksOf(draft).map((hook) => {
    const { rules, clientConfig = {} } = hook;
    const { service } = clientConfig;
    return {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...more,
      ...hook,
      ...(rules === undefined ? {} : { rules: rules.map(ruleWithDefaults) }),
      clientConfig: service === undefined ? clientConfig : { ...clientConfig, service: { port: 443, ...service } },
    };
  });
  return hooks.length === 0 ? draft : { ...draft, webhooks: hooks };
}

/** Exemptions for values that the stored configuration already contains. */
interface Lenience {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly names: boolean;
  readonly conditions: boolean;
}

function lenienceFor(hooks: readonly Webhook[], old: ApiObject | undefined): Lenience {
  if (old === undefined) return { sideEffects: false, reviewVersions: false, names: false, conditions: false };
  const before = hooksOf(old);
  const versionsOf = ({ admissionReviewVersions: versions = [] }: Webhook): readonly string[] => versions;
  return {
    sideEffects: !before.every(({ sideEffects = "" }) => NO_SIDE_EFFECTS.includes(sideEffects)),
    reviewVersions: before.some(
      (hook) => versionsOf(hook).length > 0 && !versionsOf(hook).some((version) => REVIEW_VERSIONS.includes(version)),
    ),
    names: new Set(before.map(({ name }) => name)).size < before.length,
    conditions: deepEqual(
      hooks.map(({ matchConditions = [] }) => matchConditions),
      before.map(({ matchConditions = [] }) => matchConditions),
    ),
  };
}

export function* configurationErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const hooks = hooksOf(object);
  const lenience = lenienceFor(hooks, old);
  const names = new Set<string>();
  for (const [index, hook] of hooks.entries()) {
    const path = `webhooks[${index}]`;
    yield* webhookErrors(path, hook, lenience);
    const versions = hook.admissionReviewVersions ?? [];
    yield* versionsErrors(`${path}.admissionReviewVersions`, versions, lenience.reviewVersions);
    if (isEmptyString(hook.name)) continue;
    if (names.has(hook.name) && !lenience.names) yield duplicateField(`${path}.name`, hook.name);
    names.add(hook.name);
  }
}

function* webhookErrors(path: string, hook: Webhook, lenience: Lenience): FieldErrors {
  yield* hookNameErrors(`${path}.name`, hook.name);
  for (const [index, rule] of (hook.rules ?? []).entries()) yield* ruleErrors(`${path}.rules[${index}]`, rule);
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = hook;
  yield* oneOf(`${path}.failurePolicy`, failurePolicy, FAILURE_POLICIES);
  yield* oneOf(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES);
  const effects = lenience.sideEffects ? SIDE_EFFECTS : NO_SIDE_EFFECTS;
  if (sideEffects === undefined)
    yield requiredField(`${path}.sideEffects`, `must specify one of ${effects.join(", ")}`);
  yield* oneOf(`${path}.sideEffects`, sideEffects, effects);
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    yield invalidField(`${path}.timeoutSeconds`, timeoutSeconds, "the timeout value must be between 1 and 30 seconds");
  }
  yield* selectorErrors(`${path}.namespaceSelector`, hook.namespaceSelector);
  yield* selectorErrors(`${path}.objectSelector`, hook.objectSelector);
  yield* oneOf(`${path}.reinvocationPolicy`, reinvocationPolicy, REINVOCATION_POLICIES);
  yield* clientConfigErrors(`${path}.clientConfig`, hook.clientConfig ?? {});
  if (!lenience.conditions) yield* matchConditionsErrors(`${path}.matchConditions`, hook.matchConditions ?? [], false);
}

function* oneOf(path: string, value: string | undefined, choices: readonly string[]): FieldErrors {
  if (value !== undefined && !choices.includes(value)) yield unsupportedField(path, value, choices);
}

function* hookNameErrors(path: string, name: string | undefined): FieldErrors {
  if (isEmptyString(name)) {
    yield requiredField(path);
    return;
  }
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) yield invalidField(path, name, problems.join(","));
  else if (name.split(".").length < 3) {
    yield invalidField(path, name, "should be a domain with at least three segments separated by dots");
  }
}

function* versionsErrors(path: string, versions: readonly string[], isLenient: boolean): FieldErrors {
  const known = REVIEW_VERSIONS.join(", ");
  if (versions.length === 0) {
    yield requiredField(path, `must specify one of ${known}`);
    return;
  }
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) yield invalidField(`${path}[${index}]`, version, "duplicate version");
    else yield* stringErrors(`${path}[${index}]`, version, dns1035Problems);
  }
  if (!isLenient && !versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    yield invalidField(path, versions, `must include at least one of ${known}`);
  }
}

/** Validates the clientConfig of a webhook. */
export function* clientConfigErrors(path: string, { url, service }: ClientConfig): FieldErrors {
  if ((url === undefined) === (service === undefined)) {
    yield requiredField(path, "exactly one of url or service is required");
  } else if (url !== undefined) yield* urlErrors(`${path}.url`, url);
  else if (service !== undefined) yield* serviceErrors(`${path}.service`, service);
}

const FORM = "; desired format: https://host[/path]";

function* urlErrors(path: string, text: string): FieldErrors {
  const url = readUrl(text);
  if (typeof url === "string") {
    yield requiredField(path, `url must be a valid URL: ${url}${FORM}`);
    return;
  }
  if (url.scheme !== "https") yield invalidField(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (url.host === "") yield invalidField(path, "", `host must be specified${FORM}`);
  if (/^[^/?#]*\/\/[^/?#]*@/u.test(text)) {
    yield invalidField(path, "", "user information is not permitted in the URL");
  }
  const fragment = text.split("#")[1] ?? "";
  if (fragment !== "") yield invalidField(path, fragment, "fragments are not permitted in the URL");
  const query = text.split("#", 1).join("").split("?").slice(1).join("?");
  if (query !== "") yield invalidField(path, query, "query parameters are not permitted in the URL");
}

/** Parses a URL. Returns its scheme and host, or an error message. */
function readUrl(text: string): { readonly scheme: string; readonly host: string } | string {
  try {
    const { scheme, host } = parseUrl(text);
    return { scheme, host };
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

function* serviceErrors(path: string, { name, namespace, path: target = "", port = 443 }: Service): FieldErrors {
  // Name and namespace are swapped in the call of ValidateWebhookService
  // (pkg/apis/admissionregistration/validation/validation.go, Kubernetes 1.36), so the errors are swapped too.
  if (isEmptyString(namespace)) yield requiredField(`${path}.name`);
  if (isEmptyString(name)) yield requiredField(`${path}.namespace`);
  if (port < 1 || port > 65_535) {
    yield invalidField(`${path}.port`, port, "port is not valid: must be between 1 and 65535, inclusive");
  }
  const at = `${path}.path`;
  if (target === "" || target === "/") return;
  if (target === "//") {
    yield invalidField(at, target, "segment[0] may not be empty");
    return;
  }
  if (!target.startsWith("/")) yield invalidField(at, target, "must start with a '/'");
  for (const [index, step] of target.slice(1).replace(/\/$/u, "").split("/").entries()) {
    if (step === "") yield invalidField(at, target, `segment[${index}] may not be empty`);
    else {
      for (const problem of dnsSubdomainProblems(step)) yield invalidField(at, target, `segment[${index}]: ${problem}`);
    }
  }
}

/** Mutating and validating webhook configurations. */
export const webhookPrinter: Printer = printer<
  typeof MutatingWebhookConfiguration | typeof ValidatingWebhookConfiguration
>([NAME_COLUMN, integerColumn("Webhooks", "Number of webhooks."), AGE_COLUMN], (configuration) => [
  configuration.webhooks?.length ?? 0,
]);
