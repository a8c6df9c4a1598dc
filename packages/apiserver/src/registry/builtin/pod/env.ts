import type { EnvFromSource, EnvVar } from "@levelset/core";
import { invalidField, requiredField, unsupportedField } from "../../field.ts";
import { configKeyProblems, dnsSubdomainProblems, qualifiedNameProblems } from "../../names.ts";
import { isBlank, labelNameErrors, neededText, noBackstepErrors, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";

/** Environment variables, and the fields and amounts of a pod that they and volumes can show. */

type ValueFrom = NonNullable<Loose<EnvVar>["valueFrom"]>;
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

/** Fields of a pod that can be a file in a volume. */
export const FILE_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Fields that the server can name at all; which of them is fit for what is another matter. */
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

/** Everything wrong with a list of environment variables. */
export function* envErrors(path: string, variables: readonly Loose<EnvVar>[]): Errors {
  for (const [index, variable] of variables.entries()) {
    const at = `${path}[${index}]`;
    if (isBlank(variable.name)) yield requiredField(`${at}.name`);
    else yield* textErrors(`${at}.name`, variable.name, envNameProblems);
    if (variable.valueFrom !== undefined) yield* valueFromErrors(`${at}.valueFrom`, variable.valueFrom, variable.value);
  }
}

/** Everything wrong with config maps and secrets as environment variables. */
export function* envFromErrors(path: string, sources: readonly Loose<EnvFromSource>[]): Errors {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const at = `${path}[${index}]`;
    if (!isBlank(prefix)) yield* textErrors(`${at}.prefix`, prefix, envNameProblems);
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

function* sourceNameErrors(path: string, name: string | undefined): Errors {
  if (isBlank(name)) yield requiredField(path);
  else yield* textErrors(path, name, dnsSubdomainProblems);
}

function* valueFromErrors(path: string, from: ValueFrom, value: string | undefined): Errors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from;
  if (fieldRef !== undefined) yield* fieldRefErrors(`${path}.fieldRef`, fieldRef, ENV_FIELDS);
  if (resourceFieldRef !== undefined) yield* resourceRefErrors(`${path}.resourceFieldRef`, resourceFieldRef, false);
  if (configMapKeyRef !== undefined) yield* keyRefErrors(`${path}.configMapKeyRef`, configMapKeyRef);
  if (secretKeyRef !== undefined) yield* keyRefErrors(`${path}.secretKeyRef`, secretKeyRef);
  if (fileKeyRef !== undefined) {
    yield* neededText(`${path}.fileKeyRef.key`, fileKeyRef.key);
    yield* labelNameErrors(`${path}.fileKeyRef.volumeName`, fileKeyRef.volumeName);
    if (isBlank(fileKeyRef.path)) yield requiredField(`${path}.fileKeyRef.path`);
    else yield* noBackstepErrors(`${path}.fileKeyRef.path`, fileKeyRef.path);
  }
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  if (count === 0) {
    const sources = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    yield invalidField(path, "", `must specify one of: ${sources}`);
  } else if (!isBlank(value)) {
    yield invalidField(path, "", "may not be specified when `value` is not empty");
  } else if (count > 1) {
    yield invalidField(path, "", "may not have more than one field specified at a time");
  }
}

function* keyRefErrors(
  path: string,
  ref: { readonly name?: string | undefined; readonly key?: string | undefined },
): Errors {
  yield* textErrors(`${path}.name`, ref.name ?? "", dnsSubdomainProblems);
  if (isBlank(ref.key)) yield requiredField(`${path}.key`);
  else yield* textErrors(`${path}.key`, ref.key, configKeyProblems);
}

const SUBSCRIPT = /^(?<field>.*)\['(?<key>[^']*)'\]$/u;

/** A field of the pod, which must be one of those in `allowed`, or one label or annotation. */
export function* fieldRefErrors(path: string, ref: FieldRef, allowed: readonly string[]): Errors {
  const { fieldPath } = ref;
  if (isBlank(fieldPath)) {
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
    yield* textErrors(path, key.toLowerCase(), qualifiedNameProblems);
  } else if (field === "metadata.labels") {
    yield* textErrors(path, key, qualifiedNameProblems);
  } else {
    yield invalidField(path, field, "does not support subscript");
  }
}

/** An amount of a container; in a volume it must say of which. */
export function* resourceRefErrors(path: string, ref: ResourceRef, inVolume: boolean): Errors {
  const { containerName, resource = "", divisor = "0" } = ref;
  const isHugePages = /^(?:limits|requests)\.hugepages-/u.test(resource);
  if (inVolume && isBlank(containerName)) yield requiredField(`${path}.containerName`);
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
