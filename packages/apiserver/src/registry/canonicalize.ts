import { formatQuantity, parseQuantity } from "@levelset/core/schema";
import { formatRfc3339, mapJsonArray, mapJsonObject, parseRfc3339 } from "@levelset/core/internal";
import { isJsonObject, s } from "@levelset/core";
import type { Quantity, StructuralSchema } from "@levelset/core/schema";

/**
 * Scalar fields of built-in kinds that are omitted when false, zero or empty: non-pointer Go fields with `omitempty`
 * (k8s.io/api, Kubernetes 1.36). Other scalars distinguish zero from absent.
 */
const FLAGS: ReadonlySet<string> = new Set([
  "chapAuthDiscovery",
  "chapAuthSession",
  "globalDefault",
  "hostIPC",
  "hostNetwork",
  "hostPID",
  "paused",
  "publishNotReadyAddresses",
  "readOnly",
  "sslEnabled",
  "stdin",
  "stdinOnce",
  "tty",
  "unschedulable",
]);

const NUMBERS: ReadonlySet<string> = new Set([
  "active",
  "currentReplicas",
  "deprecatedCount",
  "failed",
  "fullyLabeledReplicas",
  "healthCheckNodePort",
  "hostPort",
  "initialDelaySeconds",
  "minReadySeconds",
  "nodePort",
  "number",
  "numberAvailable",
  "numberUnavailable",
  "readyReplicas",
  "signal",
  "succeeded",
  "unavailableReplicas",
  "updatedNumberScheduled",
  "updatedReplicas",
]);

const TEXTS: ReadonlySet<string> = new Set([
  "clusterIP",
  "completedIndexes",
  "component",
  "containerID",
  "currentRevision",
  "effect",
  "externalName",
  "externalTrafficPolicy",
  "host",
  "hostIP",
  "hostname",
  "key",
  "level",
  "loadBalancerIP",
  "medium",
  "message",
  "nominatedNodeName",
  "note",
  "operator",
  "podCIDR",
  "podIP",
  "prefix",
  "priorityClassName",
  "providerID",
  "reason",
  "reportingController",
  "request",
  "resourceVersion",
  "role",
  "serviceAccount",
  "serviceAccountName",
  "subPath",
  "subPathExpr",
  "subdomain",
  "targetContainerName",
  "updateRevision",
  "user",
  "value",
  "workingDir",
]);

/** Fields of type `metav1.MicroTime` (microseconds). All other times are `metav1.Time` (seconds). */
const PRECISE: ReadonlySet<string> = new Set(["eventTime", "lastObservedTime", "renewTime", "acquireTime"]);

/** Field name passed for map values, because map keys are data. */
const MAP_VALUE = "";

const QUANTITY = s.quantity().structural.pattern;

/** Invalid base64 in a field of type bytes. */
export class Base64Error extends Error {
  constructor(text: string) {
    // Offset of the first invalid or missing character.
    const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)/u.exec(text)?.[0];
    const at = padded?.length ?? /[^A-Za-z0-9+/]/u.exec(text)?.index ?? text.length - (text.length % 4);
    super(`illegal base64 data at input byte ${at}`);
    this.name = "Base64Error";
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

function checkedBytes(text: string): string {
  if (!BASE64.test(text)) throw new Base64Error(text);
  return text;
}

/** Invalid text in a field of type time. */
export class TimeError extends Error {
  constructor(text: string, precise: boolean) {
    const layout = precise ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    const rest = precise ? /^[0-9-]{10}T[0-9:]{8}(?<rest>.*)$/u.exec(text)?.groups?.["rest"] : undefined;
    const [part, expected] = rest === undefined ? [text, "2006"] : [rest, ".000000"];
    super(
      `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(part)} as "${expected}"`,
    );
    this.name = "TimeError";
  }
}

/**
 * Returns a value of a built-in kind in the form that decoding into Go types and encoding again produces: canonical
 * quantities and times, and no empty fields with `omitempty`. Throws `QuantityError`, `TimeError` or `Base64Error` for
 * invalid values.
 */
export function canonicalize(schema: StructuralSchema, value: unknown, name = ""): unknown {
  if (isQuantitySchema(schema)) return canonicalQuantity(value, name === MAP_VALUE);
  if (schema.format === "byte" && typeof value === "string") return checkedBytes(value);
  if (schema.format === "date-time" && typeof value === "string") return canonicalTime(value, PRECISE.has(name));
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mapJsonArray(value, (item) => canonicalize(items, item));
  }
  if (!isJsonObject(value)) return value;
  return mapJsonObject(value, (child, key) => {
    const field = fieldSchema(schema, key);
    if (field === undefined) return child;
    const made = canonicalize(field, child, isMap(schema) ? MAP_VALUE : key);
    return schema.required?.includes(key) === true || !isNothing(field, key, made) ? made : undefined;
  });
}

function isQuantitySchema(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true && schema.pattern === QUANTITY;
}

function canonicalQuantity(value: unknown, isResource: boolean): unknown {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return value;
  const quantity = parseQuantity(String(value).trim());
  return formatQuantity(isResource ? roundedUp(quantity) : quantity);
}

const MILLI = -3;

/** Rounds up to thousandths, as `SetDefaults_ResourceList` does (`pkg/apis/core/v1/defaults.go`, Kubernetes 1.36). */
function roundedUp(quantity: Quantity): Quantity {
  const { unscaled, exponent } = quantity;
  if (exponent >= MILLI) return quantity;
  const divisor = 10n ** BigInt(MILLI - exponent);
  const rest = unscaled % divisor;
  const away = rest === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return { ...quantity, unscaled: unscaled / divisor + away, exponent: MILLI };
}

function canonicalTime(text: string, precise: boolean): string {
  const moment = parseRfc3339(text);
  const micros = /\.(?<digits>[0-9]{6})(?:Z|[+-][0-9:]{5})$/u.exec(text)?.groups?.["digits"];
  if (moment === undefined || (precise && micros === undefined)) throw new TimeError(text, precise);
  const seconds = formatRfc3339({ ...moment, nanos: 0 });
  return precise ? seconds.replace(/Z$/u, `.${micros}Z`) : seconds;
}

function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function isMap(schema: StructuralSchema): boolean {
  return schema.properties === undefined && schema.additionalProperties !== undefined;
}

function isNothing(schema: StructuralSchema, name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value === false) return FLAGS.has(name);
  if (value === 0) return NUMBERS.has(name);
  if (value === "") return TEXTS.has(name);
  // Empty maps are omitted; empty objects are not.
  return isJsonObject(value) && typeof schema.additionalProperties === "object" && Object.keys(value).length === 0;
}
