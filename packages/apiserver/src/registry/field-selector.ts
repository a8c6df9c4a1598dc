import { fieldsOf, matchFields } from "@levelset/core";
import type { FieldSelector } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { badRequest } from "./failure.ts";
import type { Resource } from "./resource.ts";
import { recordOf } from "./shape.ts";

/** Gives the text of one field; empty where the object has none. */
type FieldReader = (object: ApiObject) => string;

/** The fields of a built-in kind that selectors may name. */
interface SelectableFields {
  readonly fields: Readonly<Record<string, FieldReader>>;
  /** What the server says about any other field. */
  readonly unknown: (field: string) => string;
}

/** The test that a field selector stands for. Throws BadRequest for a field that the resource does not select by. */
export function fieldMatcher(resource: Resource, selector: FieldSelector): (object: ApiObject) => boolean {
  const { fields, unknown } = selectableFields(resource);
  for (const field of fieldsOf(selector)) {
    if (!Object.hasOwn(fields, field)) throw badRequest(unknown(field));
  }
  return (object) => matchFields(selector, (field) => fields[field]?.(object));
}

function selectableFields(resource: Resource): SelectableFields {
  if (resource.custom) return declaredFields(resource);
  return BUILTIN[`${resource.kind}.${resource.group}`] ?? METADATA_ONLY;
}

/** The text of the value at a path: texts as they are, numbers and truth values written out, everything else empty. */
function at(path: string, otherwise = ""): FieldReader {
  const parts = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const part of parts) value = recordOf(value)[part];
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
  // Kinds without a namespace take it too: it is empty.
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
  const addresses = recordOf(object["status"])["podIPs"];
  const [first] = Array.isArray(addresses) ? addresses : [];
  const { ip } = recordOf(first);
  return typeof ip === "string" ? ip : "";
};

const REFERENCE = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** Who saw an event: its source, or whoever reported it. */
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
    // Allowed, but the real server has no value for it.
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
