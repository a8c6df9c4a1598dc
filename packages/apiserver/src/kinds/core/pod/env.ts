import type { EnvFromSource, EnvVar } from "@levelset/core";
import {
  invalidField,
  requiredField,
  unsupportedField,
  configKeyProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from "../../../resource/index.ts";
import {
  isEmptyString,
  labelNameErrors,
  requiredStringErrors,
  noBackstepErrors,
  stringErrors,
} from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** Validation of environment variables and of the downward API. */

type ValueFrom = NonNullable<Unvalidated<EnvVar>["valueFrom"]>;
type FieldRef = NonNullable<ValueFrom["fieldRef"]>;
type ResourceRef = NonNullable<ValueFrom["resourceFieldRef"]>;

const ENV_FIELDS: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Pod fields that are available as files in a downwardAPI volume. */
export const FILE_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** All known field labels. Whether a field is allowed in a context is checked separately. */
const FIELDS: readonly string[] = [...ENV_FIELDS, ...FILE_FIELDS];

const AMOUNTS: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const BYTE_UNITS = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/** Validates `env`. */
export function* envErrors(path: string, variables: readonly Unvalidated<EnvVar>[]): FieldErrors {
  for (const [index, variable] of variables.entries()) {
    const at = `${path}[${index}]`;
    if (isEmptyString(variable.name)) yield requiredField(`${at}.name`);
    else yield* stringErrors(`${at}.name`, variable.name, envNameProblems);
    if (variable.valueFrom !== undefined) yield* valueFromErrors(`${at}.valueFrom`, variable.valueFrom, variable.value);
  }
}

/** Validates `envFrom`. */
export function* envFromErrors(path: string, sources: readonly Unvalidated<EnvFromSource>[]): FieldErrors {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const at = `${path}[${index}]`;
    if (!isEmptyString(prefix)) yield* stringErrors(`${at}.prefix`, prefix, envNameProblems);
    if (configMapRef !== undefined) yield* sourceNameErrors(`${at}.configMapRef.name`, configMapRef.name);
    if (secretRef !== undefined) yield* sourceNameErrors(`${at}.secretRef.name`, secretRef.name);
    if (configMapRef === undefined && secretRef === undefined) {
      yield invalidField(path, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      yield invalidField(path, "", "may not have more than one field specified at a time");
    }
  }
}

function envNameProblems(name: string): readonly string[] {
  const allowed = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return /^[\x20-\x3c\x3e-\x7e]*$/u.test(name) ? [] : [allowed];
}

function* sourceNameErrors(path: string, name: string | undefined): FieldErrors {
  if (isEmptyString(name)) yield requiredField(path);
  else yield* stringErrors(path, name, dnsSubdomainProblems);
}

function* valueFromErrors(path: string, from: ValueFrom, value: string | undefined): FieldErrors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from;
  if (fieldRef !== undefined) yield* fieldRefErrors(`${path}.fieldRef`, fieldRef, ENV_FIELDS);
  if (resourceFieldRef !== undefined) yield* resourceRefErrors(`${path}.resourceFieldRef`, resourceFieldRef, false);
  if (configMapKeyRef !== undefined) yield* keyRefErrors(`${path}.configMapKeyRef`, configMapKeyRef);
  if (secretKeyRef !== undefined) yield* keyRefErrors(`${path}.secretKeyRef`, secretKeyRef);
  if (fileKeyRef !== undefined) {
    yield* requiredStringErrors(`${path}.fileKeyRef.key`, fileKeyRef.key);
    yield* labelNameErrors(`${path}.fileKeyRef.volumeName`, fileKeyRef.volumeName);
    if (isEmptyString(fileKeyRef.path)) yield requiredField(`${path}.fileKeyRef.path`);
    else yield* noBackstepErrors(`${path}.fileKeyRef.path`, fileKeyRef.path);
  }
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  if (count === 0) {
    const sources = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    yield invalidField(path, "", `must specify one of: ${sources}`);
  } else if (!isEmptyString(value)) {
    yield invalidField(path, "", "may not be specified when `value` is not empty");
  } else if (count > 1) {
    yield invalidField(path, "", "may not have more than one field specified at a time");
  }
}

function* keyRefErrors(
  path: string,
  ref: { readonly name?: string | undefined; readonly key?: string | undefined },
): FieldErrors {
  yield* stringErrors(`${path}.name`, ref.name ?? "", dnsSubdomainProblems);
  if (isEmptyString(ref.key)) yield requiredField(`${path}.key`);
  else yield* stringErrors(`${path}.key`, ref.key, configKeyProblems);
}

const SUBSCRIPT = /^(?<field>.*)\['(?<key>[^']*)'\]$/u;

/** Validates a fieldRef: one of `allowed`, or a single label or annotation. */
export function* fieldRefErrors(path: string, ref: FieldRef, allowed: readonly string[]): FieldErrors {
  const { fieldPath } = ref;
  if (isEmptyString(fieldPath)) {
    yield requiredField(`${path}.fieldPath`);
    return;
  }
  const { field = fieldPath, key } = SUBSCRIPT.exec(fieldPath)?.groups ?? {};
  if (!FIELDS.includes(field)) {
    const why = `error converting fieldPath: field label not supported: ${fieldPath}`;
    yield invalidField(`${path}.fieldPath`, fieldPath, why);
  } else if (key === undefined) {
    if (!allowed.includes(field)) yield unsupportedField(`${path}.fieldPath`, field, allowed);
  } else if (field === "metadata.annotations") {
    yield* stringErrors(path, key.toLowerCase(), qualifiedNameProblems);
  } else if (field === "metadata.labels") {
    yield* stringErrors(path, key, qualifiedNameProblems);
  } else {
    yield invalidField(path, field, "does not support subscript");
  }
}

/** Validates a resourceFieldRef. In a volume it must name the container. */
export function* resourceRefErrors(path: string, ref: ResourceRef, inVolume: boolean): FieldErrors {
  const { containerName, resource = "", divisor = "0" } = ref;
  const isHugePages = /^(?:limits|requests)\.hugepages-/u.test(resource);
  if (inVolume && isEmptyString(containerName)) yield requiredField(`${path}.containerName`);
  else if (resource === "") yield requiredField(`${path}.resource`);
  else if (!AMOUNTS.includes(resource) && !isHugePages) yield unsupportedField(`${path}.resource`, resource, AMOUNTS);
  if (String(divisor) === "0") return;
  const [, what = ""] = resource.split(".");
  if (what === "cpu") {
    if (divisor === "1m" || divisor === "1") return;
    yield invalidField(
      `${path}.divisor`,
      resource,
      "only divisor's values 1m and 1 are supported with the cpu resource",
    );
  } else if ((AMOUNTS.includes(resource) || isHugePages) && !BYTE_UNITS.split(", ").includes(String(divisor))) {
    const kind = { memory: "memory", "ephemeral-storage": "local ephemeral storage" }[what] ?? "hugepages";
    yield invalidField(
      `${path}.divisor`,
      resource,
      `only divisor's values ${BYTE_UNITS} are supported with the ${kind} resource`,
    );
  }
}
