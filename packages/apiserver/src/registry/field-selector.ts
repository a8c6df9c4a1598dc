import { selectorFields, matchesFieldSelector } from "@levelset/core";
import type { FieldSelector } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { badRequestError } from "./status-errors.ts";
import type { Resource } from "./resource.ts";
import { asRecord } from "./json-access.ts";

/** Returns the text of one field; empty if the object does not have it. */
type FieldReader = (object: ApiObject) => string;

/** Selectable fields of a built-in kind. */
interface SelectableFields {
  readonly fields: Readonly<Record<string, FieldReader>>;
  /** Error message for any other field. */
  readonly unknown: (field: string) => string;
}

/** Compiles a field selector to a predicate. Throws BadRequest for a field that the resource does not support. */
export function fieldMatcher(resource: Resource, selector: FieldSelector): (object: ApiObject) => boolean {
  const { fields, unknown } = selectableFields(resource);
  for (const field of selectorFields(selector)) {
    if (!Object.hasOwn(fields, field)) throw badRequestError(unknown(field));
  }
  return (object) => matchesFieldSelector(selector, (field) => fields[field]?.(object));
}

function selectableFields(resource: Resource): SelectableFields {
  if (resource.isCustom) return declaredFields(resource);
  return BUILTIN[`${resource.kind}.${resource.group}`] ?? METADATA_ONLY;
}

/** Reads the value at a path as text: strings, numbers and booleans; everything else is empty. */
function at(path: string, otherwise = ""): FieldReader {
  const parts = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const part of parts) value = asRecord(value)[part];
    switch (typeof value) {
      case "string":
        return value;
      case "number":
      case "bigint":
      case "boolean":
        return String(value);
      default:
        return otherwise;
    }
  };
}

const NAME: Readonly<Record<string, FieldReader>> = { "metadata.name": at("metadata.name") };
const PLACED: Readonly<Record<string, FieldReader>> = { ...NAME, "metadata.namespace": at("metadata.namespace") };

function readers(...paths: readonly string[]): Readonly<Record<string, FieldReader>> {
  return Object.fromEntries(paths.map((path) => [path, at(path)]));
}

const METADATA_ONLY: SelectableFields = {
  // Cluster-scoped kinds accept it too with an empty namespace.
  fields: PLACED,
  unknown: (field) =>
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

function declaredFields(resource: Resource): SelectableFields {
  const metadata = resource.scope === "Namespaced" ? PLACED : NAME;
  return labels({ ...metadata, ...readers(...resource.selectableFields) });
}

function labels(fields: SelectableFields["fields"]): SelectableFields {
  return { fields, unknown: (field) => `field label not supported: ${field}` };
}

const podIP: FieldReader = (object) => {
  const addresses = asRecord(object["status"])["podIPs"];
  const [first] = Array.isArray(addresses) ? addresses : [];
  const { ip } = asRecord(first);
  return typeof ip === "string" ? ip : "";
};

const REFERENCE = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** The event's source, or its reporting component (`pkg/registry/core/event/strategy.go`, Kubernetes 1.36). */
function eventSource(source: string, reporter: string): FieldReader {
  const [first, second] = [at(source), at(reporter)];
  return (object) => first(object) || second(object);
}

/** By kind and group. All other built-in kinds select by name and namespace. */
const BUILTIN: Readonly<Record<string, SelectableFields>> = {
  "Pod.": labels({
    ...PLACED,
    ...readers("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName"),
    "spec.host": at("spec.nodeName"),
    "spec.hostNetwork": at("spec.hostNetwork", "false"),
    ...readers("status.phase", "status.nominatedNodeName"),
    "status.podIP": podIP,
    // Accepted (pkg/apis/core/v1/conversion.go), but without a value (pkg/registry/core/pod/strategy.go, Kubernetes
    // 1.36).
    "status.podIPs": () => "",
  }),
  "Node.": labels({ ...NAME, "spec.unschedulable": at("spec.unschedulable", "false") }),
  "Namespace.": labels({ ...NAME, ...readers("status.phase") }),
  "ReplicationController.": labels({ ...PLACED, "status.replicas": at("status.replicas", "0") }),
  "Secret.": labels({ ...PLACED, ...readers("type") }),
  "Service.": labels({ ...PLACED, ...readers("spec.clusterIP", "spec.type") }),
  "Event.": labels({
    ...PLACED,
    ...readers(...REFERENCE.map((part) => `involvedObject.${part}`), "reason", "reportingComponent", "type"),
    source: eventSource("source.component", "reportingComponent"),
  }),
  "Event.events.k8s.io": labels({
    ...PLACED,
    ...readers(...REFERENCE.map((part) => `regarding.${part}`), "reason", "reportingController", "type"),
  }),
  "Job.batch": {
    fields: { ...PLACED, "status.successful": at("status.succeeded", "0") },
    unknown: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
};
