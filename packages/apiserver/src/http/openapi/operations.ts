import { patchTypesOf } from "../../registry/index.ts";
import type { Resource, SubresourceInfo, Verb } from "../../resource/index.ts";
import { gvkOf } from "./components.ts";

/** The payload of an operation: an object of the resource, a list, or the kind of a subresource. */
export type PayloadKind = "object" | "list" | "part";

/** A query parameter. */
export interface OpenApiParameter {
  readonly name: string;
  readonly description: string;
  readonly type: "string" | "boolean" | "integer";
}

/** An operation at a path, independent of the OpenAPI version. */
export interface OpenApiOperation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly action: "get" | "list" | "post" | "put" | "patch" | "delete" | "deletecollection";
  readonly id: string;
  readonly description: string;
  /** The kind of the payload. */
  readonly gvk: Readonly<Record<string, unknown>>;
  readonly parameters: readonly OpenApiParameter[];
  /** Media types and payload of the request body; undefined if the operation has none. */
  readonly body: { readonly types: readonly string[]; readonly of: PayloadKind | "patch" | "options" } | undefined;
  readonly response: PayloadKind | "status";
}

/** A path and its operations. */
export interface PathItem {
  readonly path: string;
  /** Names of the path parameters. */
  readonly parameters: readonly string[];
  readonly subresource: SubresourceInfo | undefined;
  readonly operations: readonly OpenApiOperation[];
}

const text = (name: string, description: string): OpenApiParameter => ({ name, description, type: "string" });
const whole = (name: string, description: string): OpenApiParameter => ({ name, description, type: "integer" });
const flag = (name: string, description: string): OpenApiParameter => ({ name, description, type: "boolean" });

const DRY_RUN = text("dryRun", "All: validate the request without storing it.");
const MANAGER = text("fieldManager", "Name of the field manager.");
const VALIDATION = text("fieldValidation", "Handling of unknown and duplicate fields: Strict, Warn or Ignore.");
const FORCE = flag("force", "Take over fields of other managers. For apply patches only.");

/** Parameters of read operations. */
export const PRETTY_PARAMETER: OpenApiParameter = text("pretty", "Whether to pretty-print the response.");

const SELECT: readonly OpenApiParameter[] = [
  text("continue", "Token for the next page, from the previous response."),
  text("fieldSelector", "Selects objects by fields."),
  text("labelSelector", "Selects objects by labels."),
  whole("limit", "Maximum number of objects per page."),
  text("resourceVersion", "Revision to read."),
  text("resourceVersionMatch", "How resourceVersion is applied: Exact or NotOlderThan."),
  flag("sendInitialEvents", "Whether a watch starts with the current objects."),
  whole("timeoutSeconds", "Timeout of a list or watch."),
];

const LIST: readonly OpenApiParameter[] = [
  flag("allowWatchBookmarks", "Whether a watch may send events of type BOOKMARK."),
  ...SELECT,
  flag("watch", "Whether to stream changes."),
];

const REMOVE: readonly OpenApiParameter[] = [
  DRY_RUN,
  whole("gracePeriodSeconds", "Grace period before the object is removed."),
  flag("orphanDependents", "Deprecated form of propagationPolicy."),
  text("propagationPolicy", "Handling of dependents: Orphan, Background or Foreground."),
];

const WRITE: readonly OpenApiParameter[] = [DRY_RUN, MANAGER, VALIDATION];
const ANY_TYPE = ["*/*"];

/** Returns all paths of a resource. */
export function pathItemsOf(resource: Resource): readonly PathItem[] {
  const { group, version, plural, scope } = resource;
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = scope === "Namespaced" ? ["namespace"] : [];
  const collection = `${base}${scope === "Namespaced" ? "/namespaces/{namespace}" : ""}/${plural}`;
  const has = (verb: Verb): boolean => resource.verbs.includes(verb);
  const everywhere = scope === "Namespaced" && has("list");
  const item = (
    path: string,
    parameters: readonly string[],
    operations: readonly OpenApiOperation[],
    part?: SubresourceInfo,
  ): PathItem => ({ path, parameters, subresource: part, operations });
  const name = ["name", ...place];
  return [
    item(collection, place, collectionOperations(resource)),
    item(`${collection}/{name}`, name, objectOperations(resource)),
    ...resource.subresources.map((part) =>
      item(`${collection}/{name}/${part.name}`, name, partOperations(resource, part), part),
    ),
    ...(everywhere ? [item(`${base}/${plural}`, [], [listOperation(resource, "ForAllNamespaces")])] : []),
  ].filter(({ operations }) => operations.length > 0);
}

/** Returns the prefix of operation IDs, such as `AppsV1`. */
function prefixOf({ group, version }: Resource): string {
  const first = group === "" ? "core" : group.replace(/\.k8s\.io$/u, "");
  const words = first.split(/[.-]/u).map((word) => capital(word));
  return `${words.join("")}${capital(version)}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function idOf(verb: string, resource: Resource, suffix = "", collection = ""): string {
  const place = resource.scope === "Namespaced" && suffix !== "ForAllNamespaces" ? "Namespaced" : "";
  return `${verb}${prefixOf(resource)}${collection}${place}${resource.kind}${suffix}`;
}

function listOperation(resource: Resource, suffix = ""): OpenApiOperation {
  return {
    method: "get",
    action: "list",
    id: idOf("list", resource, suffix),
    description: `list or watch objects of kind ${resource.kind}`,
    gvk: gvkOf(resource),
    parameters: LIST,
    body: undefined,
    response: "list",
  };
}

function collectionOperations(resource: Resource): readonly OpenApiOperation[] {
  const gvk = gvkOf(resource);
  const create: OpenApiOperation = {
    method: "post",
    action: "post",
    id: idOf("create", resource),
    description: `create an object of kind ${resource.kind}`,
    gvk,
    parameters: WRITE,
    body: { types: ANY_TYPE, of: "object" },
    response: "object",
  };
  const clear: OpenApiOperation = {
    method: "delete",
    action: "deletecollection",
    id: idOf("delete", resource, "", "Collection"),
    description: `delete objects of kind ${resource.kind}`,
    gvk,
    parameters: [...REMOVE, ...SELECT],
    body: { types: ANY_TYPE, of: "options" },
    response: "status",
  };
  return [
    ...(resource.verbs.includes("list") ? [listOperation(resource)] : []),
    ...(resource.verbs.includes("create") ? [create] : []),
    ...(resource.verbs.includes("deletecollection") ? [clear] : []),
  ];
}

function objectOperations(resource: Resource): readonly OpenApiOperation[] {
  const remove: OpenApiOperation = {
    method: "delete",
    action: "delete",
    id: idOf("delete", resource),
    description: `delete an object of kind ${resource.kind}`,
    gvk: gvkOf(resource),
    parameters: REMOVE,
    body: { types: ANY_TYPE, of: "options" },
    response: "status",
  };
  return [
    ...changes(resource, { verbs: resource.verbs, of: "object", gvk: gvkOf(resource), suffix: "", what: "an object" }),
    ...(resource.verbs.includes("delete") ? [remove] : []),
  ];
}

function partOperations(resource: Resource, part: SubresourceInfo): readonly OpenApiOperation[] {
  const { body = resource, name, verbs } = part;
  // For custom resources, operations on subresources name the kind itself
  // (`k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go`, Kubernetes 1.36).
  const gvk = gvkOf(resource.isCustom ? resource : body);
  const suffix = capital(name);
  const create: OpenApiOperation = {
    method: "post",
    action: "post",
    id: idOf("create", resource, suffix),
    description: `create ${name} of an object of kind ${resource.kind}`,
    gvk,
    parameters: WRITE,
    body: { types: ANY_TYPE, of: "part" },
    response: "part",
  };
  return [
    ...changes(resource, { verbs, of: "part", gvk, suffix, what: `${name} of an object` }),
    ...(verbs.includes("create") ? [create] : []),
  ];
}

interface Change {
  readonly verbs: readonly Verb[];
  readonly of: "object" | "part";
  readonly gvk: OpenApiOperation["gvk"];
  readonly suffix: string;
  readonly what: string;
}

/** Returns the read, replace and patch operations of an object or subresource. */
function changes(resource: Resource, { verbs, of, gvk, suffix, what }: Change): readonly OpenApiOperation[] {
  const operation = (
    method: "get" | "put" | "patch",
    verb: string,
    parameters: readonly OpenApiParameter[],
    body: OpenApiOperation["body"],
  ): OpenApiOperation => ({
    method,
    action: method,
    id: idOf(verb, resource, suffix),
    description: `${verb} ${what} of kind ${resource.kind}`,
    gvk,
    parameters,
    body,
    response: of,
  });
  return [
    ...(verbs.includes("get") ? [operation("get", "read", [], undefined)] : []),
    ...(verbs.includes("update") ? [operation("put", "replace", WRITE, { types: ANY_TYPE, of })] : []),
    ...(verbs.includes("patch")
      ? [operation("patch", "patch", [...WRITE, FORCE], { types: patchTypesOf(resource), of: "patch" })]
      : []),
  ];
}
