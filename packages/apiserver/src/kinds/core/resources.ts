import { compareQuantities, parseQuantity, signOfQuantity } from "@levelset/core/schema";
import type { Quantity } from "@levelset/core/schema";
import type { ResourceRequirements } from "@levelset/core";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
  qualifiedNameProblems,
} from "../../resource/index.ts";
import { dnsLabelErrors, isEmptyString } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Unvalidated } from "../unvalidated.ts";

/** Validation of resource names and quantities. Decoding has canonicalized the quantities. */

/** Decoded, unvalidated quantities by resource name. */
export type UnvalidatedResourceList = Unvalidated<Readonly<Record<string, number | string>>>;

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
/** Resources that allow only integers. */
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

/** Parses a canonical quantity. */
export function toQuantity(amount: number | string | undefined): Quantity {
  return parseQuantity(String(amount ?? 0));
}

/** Returns the own property of the given name. Guards against names such as `constructor`. */
export function quantityNamed<T>(amounts: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}

/** Returns the entries with a value. */
export function resourceEntries(
  amounts: UnvalidatedResourceList | undefined,
): readonly (readonly [string, number | string])[] {
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

/** Returns whether the resource can be overcommitted. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Validates a resource name: a standard name or a domain-qualified one. */
export function* resourceNameErrors(path: string, name: string): FieldErrors {
  const problems = qualifiedNameProblems(name);
  for (const problem of problems) yield invalidField(path, name, problem);
  if (problems.length > 0 || name.includes("/") || STANDARD_NAMES.has(name) || isHugePages(name)) return;
  yield invalidField(path, name, "must be a standard resource type or fully qualified");
}

/** Validates the name of a container resource. */
export function* containerResourceNameErrors(path: string, name: string): FieldErrors {
  yield* resourceNameErrors(path, name);
  if (!name.includes("/")) {
    if (CONTAINER_NAMES.includes(name) || isHugePages(name)) return;
    yield invalidField(path, name, "must be a standard resource for containers");
  } else if (!isNative(name) && !isExtended(name)) {
    yield invalidField(path, name, "doesn't follow extended resource name standard");
  }
}

/** Returns whether an unqualified name is a standard quota resource. */
export function isStandardQuotaName(name: string): boolean {
  return STANDARD_NAMES.has(name) || isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);
}

/** Validates the name of a quota resource. */
export function* quotaResourceNameErrors(path: string, name: string): FieldErrors {
  yield* resourceNameErrors(path, name);
  if (!name.includes("/") && !isStandardQuotaName(name))
    yield invalidField(path, name, "must be a standard resource for quota");
}

/** Validates the name of a pod-level resource. */
export function* podResourceNameErrors(path: string, name: string): FieldErrors {
  const errors = [...resourceNameErrors(path, name)];
  yield* errors;
  if (errors.length === 0 && name !== "cpu" && name !== "memory" && !isHugePages(name)) {
    yield unsupportedField(path, name, POD_NAMES);
  }
}

/** Validates a quantity: not negative, and an integer where required. */
export function* resourceQuantityErrors(path: string, name: string, amount: number | string): FieldErrors {
  const quantity = toQuantity(amount);
  if (signOfQuantity(quantity) < 0) yield invalidField(path, String(amount), "must be greater than or equal to 0");
  const whole = WHOLE_NAMES.has(name) || isExtended(name);
  // The canonical form of a fraction has the suffix n, u or m.
  if (whole && /[num]$/u.test(String(amount))) yield invalidField(path, String(amount), "must be an integer");
}

/** Validates limits and requests: names, quantities, and no request above its limit. */
export function* resourceRequirementsErrors(
  path: string,
  requirements: Unvalidated<ResourceRequirements> | undefined,
  claims: readonly string[],
  nameErrors: (path: string, name: string) => FieldErrors = containerResourceNameErrors,
): FieldErrors {
  const { limits = {}, requests = {} } = requirements ?? {};
  for (const [name, amount] of resourceEntries(limits)) {
    yield* nameErrors(`${path}.limits[${name}]`, name);
    yield* resourceQuantityErrors(`${path}.limits[${name}]`, name, amount);
  }
  for (const [name, amount] of resourceEntries(requests)) {
    yield* nameErrors(`${path}.requests[${name}]`, name);
    yield* resourceQuantityErrors(`${path}.requests[${name}]`, name, amount);
    yield* limitErrors(path, name, amount, quantityNamed(limits, name));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    yield forbiddenField(path, "HugePages require cpu or memory");
  }
  yield* claimErrors(`${path}.claims`, requirements?.claims ?? [], claims);
}

function* limitErrors(
  path: string,
  name: string,
  amount: number | string,
  limit: number | string | undefined,
): FieldErrors {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name)) {
      yield requiredField(`${path}.limits`, "Limit must be set for non overcommitable resources");
    }
    return;
  }
  const order = compareQuantities(toQuantity(amount), toQuantity(limit));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    yield invalidField(`${path}.requests`, String(amount), `must be equal to ${name} limit of ${limit}`);
  } else if (order > 0) {
    yield invalidField(`${path}.requests`, String(amount), `must be less than or equal to ${name} limit of ${limit}`);
  }
}

type Claims = NonNullable<Unvalidated<ResourceRequirements>["claims"]>;

function* claimErrors(path: string, claims: Claims, known: readonly string[]): FieldErrors {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = `${path}[${index}]`;
    if (isEmptyString(name)) {
      yield requiredField(at);
      continue;
    }
    if (!isEmptyString(request)) yield* dnsLabelErrors(`${at}.request`, request);
    const key = isEmptyString(request) ? name : `${name}/${request}`;
    if (seen.has(name) || seen.has(key)) yield duplicateField(at, key);
    seen.add(key);
    if (!known.includes(name)) {
      const list = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
      yield notFoundField(at, name, `must be one of the names in pod.spec.resourceClaims${list}`);
    }
  }
}

/** Validates a quantity greater than zero. */
export function* positiveQuantityErrors(path: string, amount: number | string): FieldErrors {
  if (signOfQuantity(toQuantity(amount)) <= 0) yield invalidField(path, String(amount), "must be greater than zero");
}
