import { compareQuantities, parseQuantity, signOfQuantity } from "@levelset/core";
import type { Quantity, ResourceRequirements } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
} from "../../field.ts";
import { qualifiedNameProblems } from "../../names.ts";
import { dnsLabelErrors, isBlank } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

/** Names and amounts of computing resources. Amounts are canonical quantities: decoding saw to that. */

/** Amounts by name, as decoding leaves them. */
export type Amounts = Loose<Readonly<Record<string, number | string>>>;

const CONTAINER_NAMES = ["cpu", "memory", "ephemeral-storage"];
const STANDARD_NAMES: ReadonlySet<string> = new Set([
  ...CONTAINER_NAMES,
  "storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
/** Counted in whole pieces. */
const WHOLE_NAMES: ReadonlySet<string> = new Set([
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const POD_NAMES = ["cpu", "hugepages-", "memory"];
const HUGE_PAGES = "hugepages-";
const NATIVE_DOMAIN = "kubernetes.io/";

/** A canonical amount as a quantity. */
export function amountOf(amount: number | string | undefined): Quantity {
  return parseQuantity(String(amount ?? 0));
}

/** One of several amounts. A resource may be called `constructor`, which every object has. */
export function amountNamed<T>(amounts: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}

/** The entries of amounts that are there. */
export function amountsOf(amounts: Amounts | undefined): readonly (readonly [string, number | string])[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, amount] as const],
  );
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes(NATIVE_DOMAIN);
}

function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** Whether more may be promised than there is. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** A name that means something to Kubernetes, or one with a domain. */
export function* resourceNameErrors(path: string, name: string): Errors {
  const problems = qualifiedNameProblems(name);
  for (const problem of problems) yield invalidField(path, name, problem);
  if (problems.length > 0 || name.includes("/") || STANDARD_NAMES.has(name) || isHugePages(name)) return;
  yield invalidField(path, name, "must be a standard resource type or fully qualified");
}

/** Something that a container can have. */
export function* containerResourceNameErrors(path: string, name: string): Errors {
  yield* resourceNameErrors(path, name);
  if (!name.includes("/")) {
    if (CONTAINER_NAMES.includes(name) || isHugePages(name)) return;
    yield invalidField(path, name, "must be a standard resource for containers");
  } else if (!isNative(name) && !isExtended(name)) {
    yield invalidField(path, name, "doesn't follow extended resource name standard");
  }
}

/** Whether a quota knows a resource by its bare name. */
export function isStandardQuotaName(name: string): boolean {
  return STANDARD_NAMES.has(name) || isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);
}

/** Something that a quota can count. */
export function* quotaResourceNameErrors(path: string, name: string): Errors {
  yield* resourceNameErrors(path, name);
  if (!name.includes("/") && !isStandardQuotaName(name))
    yield invalidField(path, name, "must be a standard resource for quota");
}

/** Something that a pod as a whole can have. */
export function* podResourceNameErrors(path: string, name: string): Errors {
  const errors = [...resourceNameErrors(path, name)];
  yield* errors;
  if (errors.length === 0 && name !== "cpu" && name !== "memory" && !isHugePages(name)) {
    yield unsupportedField(path, name, POD_NAMES);
  }
}

/** Not below zero, and whole where pieces are counted. */
export function* amountErrors(path: string, name: string, amount: number | string): Errors {
  const quantity = amountOf(amount);
  if (signOfQuantity(quantity) < 0) yield invalidField(path, String(amount), "must be greater than or equal to 0");
  const whole = WHOLE_NAMES.has(name) || isExtended(name);
  // A fraction shows in the canonical form.
  if (whole && /[num]$/u.test(String(amount))) yield invalidField(path, String(amount), "must be an integer");
}

/** Limits and requests: known names, good amounts, and no request above its limit. */
export function* requirementErrors(
  path: string,
  requirements: Loose<ResourceRequirements> | undefined,
  claims: readonly string[],
  nameErrors: (path: string, name: string) => Errors = containerResourceNameErrors,
): Errors {
  const { limits = {}, requests = {} } = requirements ?? {};
  for (const [name, amount] of amountsOf(limits)) {
    yield* nameErrors(`${path}.limits[${name}]`, name);
    yield* amountErrors(`${path}.limits[${name}]`, name, amount);
  }
  for (const [name, amount] of amountsOf(requests)) {
    yield* nameErrors(`${path}.requests[${name}]`, name);
    yield* amountErrors(`${path}.requests[${name}]`, name, amount);
    yield* limitErrors(path, name, amount, amountNamed(limits, name));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    yield forbiddenField(path, "HugePages require cpu or memory");
  }
  yield* claimErrors(`${path}.claims`, requirements?.claims ?? [], claims);
}

function* limitErrors(path: string, name: string, amount: number | string, limit: number | string | undefined): Errors {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name)) {
      yield requiredField(`${path}.limits`, "Limit must be set for non overcommitable resources");
    }
    return;
  }
  const order = compareQuantities(amountOf(amount), amountOf(limit));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    yield invalidField(`${path}.requests`, String(amount), `must be equal to ${name} limit of ${limit}`);
  } else if (order > 0) {
    yield invalidField(`${path}.requests`, String(amount), `must be less than or equal to ${name} limit of ${limit}`);
  }
}

type Claims = NonNullable<Loose<ResourceRequirements>["claims"]>;

function* claimErrors(path: string, claims: Claims, known: readonly string[]): Errors {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = `${path}[${index}]`;
    if (isBlank(name)) {
      yield requiredField(at);
      continue;
    }
    if (!isBlank(request)) yield* dnsLabelErrors(`${at}.request`, request);
    const key = isBlank(request) ? name : `${name}/${request}`;
    if (seen.has(name) || seen.has(key)) yield duplicateField(at, key);
    seen.add(key);
    if (!known.includes(name)) {
      const list = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
      yield notFoundField(at, name, `must be one of the names in pod.spec.resourceClaims${list}`);
    }
  }
}

/** More than nothing. */
export function* positiveAmountErrors(path: string, amount: number | string): Errors {
  if (signOfQuantity(amountOf(amount)) <= 0) yield invalidField(path, String(amount), "must be greater than zero");
}
