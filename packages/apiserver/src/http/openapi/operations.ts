import { patchTypesOf } from "../../registry/index.ts";
import type { Resource, SubresourceFacts, Verb } from "../../registry/index.ts";
import { gvkOf } from "./components.ts";

/** What is read or written: an object of the resource, a list of them, or what a part of an object takes. */
export type Subject = "object" | "list" | "part";

/** A parameter in the query. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly type: "string" | "boolean" | "integer";
}

/** One thing that can be done at a path, in neither dialect yet. */
export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly action: string;
  readonly id: string;
  readonly description: string;
  /** The kind it is about. */
  readonly gvk: Readonly<Record<string, unknown>>;
  readonly parameters: readonly Parameter[];
  /** Media types of a body, and what it is. Undefined where there is none. */
  readonly body: { readonly types: readonly string[]; readonly of: Subject | "patch" | "options" } | undefined;
  readonly answer: Subject | "status";
}

/** A path and what can be done there. */
export interface PathItem {
  readonly path: string;
  /** Names of the parameters in the path. */
  readonly parameters: readonly string[];
  readonly part: SubresourceFacts | undefined;
  readonly operations: readonly Operation[];
}

const text = (name: string, description: string): Parameter => ({ name, description, type: "string" });
const whole = (name: string, description: string): Parameter => ({ name, description, type: "integer" });
const flag = (name: string, description: string): Parameter => ({ name, description, type: "boolean" });

const DRY_RUN = text("dryRun", "All: check everything, store nothing.");
const MANAGER = text("fieldManager", "Who makes the change.");
const VALIDATION = text("fieldValidation", "Strict, Warn or Ignore: what becomes of unknown and repeated fields.");
const FORCE = flag("force", "Take over fields that others manage. Only when applying.");

/** Parameters of reading. */
export const PRETTY: Parameter = text("pretty", "Whether the answer is laid out for people.");

const SELECT: readonly Parameter[] = [
  text("continue", "Where a list goes on."),
  text("fieldSelector", "Objects by fields."),
  text("labelSelector", "Objects by labels."),
  whole("limit", "The most objects of one answer."),
  text("resourceVersion", "The state to read."),
  text("resourceVersionMatch", "How resourceVersion is meant: Exact or NotOlderThan."),
  flag("sendInitialEvents", "Whether a watch begins with what is there."),
  whole("timeoutSeconds", "When a watch or list ends at the latest."),
];

const LIST: readonly Parameter[] = [
  flag("allowWatchBookmarks", "Whether a watch may send events of type BOOKMARK."),
  ...SELECT,
  flag("watch", "Whether to be told about changes, too."),
];

const REMOVE: readonly Parameter[] = [
  DRY_RUN,
  whole("gracePeriodSeconds", "How long the object has to end by itself."),
  flag("orphanDependents", "The older form of propagationPolicy."),
  text("propagationPolicy", "What becomes of objects that depend on it: Orphan, Background or Foreground."),
];

const WRITE: readonly Parameter[] = [DRY_RUN, MANAGER, VALIDATION];
const ANY_TYPE = ["*/*"];

/** All paths of a resource. */
export function pathsOf(resource: Resource): readonly PathItem[] {
  const { group, version, plural, scope } = resource;
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = scope === "Namespaced" ? ["namespace"] : [];
  const collection = `${base}${scope === "Namespaced" ? "/namespaces/{namespace}" : ""}/${plural}`;
  const has = (verb: Verb): boolean => resource.verbs.includes(verb);
  const everywhere = scope === "Namespaced" && has("list");
  const item = (
    path: string,
    parameters: readonly string[],
    operations: readonly Operation[],
    part?: SubresourceFacts,
  ): PathItem => ({ path, parameters, part, operations });
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

/** `AppsV1`, the first part of the names of operations. */
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

function listOperation(resource: Resource, suffix = ""): Operation {
  return {
    method: "get",
    action: "list",
    id: idOf("list", resource, suffix),
    description: `list or watch objects of kind ${resource.kind}`,
    gvk: gvkOf(resource),
    parameters: LIST,
    body: undefined,
    answer: "list",
  };
}

function collectionOperations(resource: Resource): readonly Operation[] {
  const gvk = gvkOf(resource);
  const create: Operation = {
    method: "post",
    action: "post",
    id: idOf("create", resource),
    description: `create an object of kind ${resource.kind}`,
    gvk,
    parameters: WRITE,
    body: { types: ANY_TYPE, of: "object" },
    answer: "object",
  };
  const clear: Operation = {
    method: "delete",
    action: "deletecollection",
    id: idOf("delete", resource, "", "Collection"),
    description: `delete objects of kind ${resource.kind}`,
    gvk,
    parameters: [...REMOVE, ...SELECT],
    body: { types: ANY_TYPE, of: "options" },
    answer: "status",
  };
  return [
    ...(resource.verbs.includes("list") ? [listOperation(resource)] : []),
    ...(resource.verbs.includes("create") ? [create] : []),
    ...(resource.verbs.includes("deletecollection") ? [clear] : []),
  ];
}

function objectOperations(resource: Resource): readonly Operation[] {
  const remove: Operation = {
    method: "delete",
    action: "delete",
    id: idOf("delete", resource),
    description: `delete an object of kind ${resource.kind}`,
    gvk: gvkOf(resource),
    parameters: REMOVE,
    body: { types: ANY_TYPE, of: "options" },
    answer: "status",
  };
  return [
    ...changes(resource, { verbs: resource.verbs, of: "object", gvk: gvkOf(resource), suffix: "", what: "an object" }),
    ...(resource.verbs.includes("delete") ? [remove] : []),
  ];
}

function partOperations(resource: Resource, part: SubresourceFacts): readonly Operation[] {
  const { group = resource.group, version = resource.version, kind, name, verbs } = part;
  // Of declared kinds the real server names the kind itself, whatever the part is.
  const gvk = gvkOf(resource.custom ? resource : { group, version, kind });
  const suffix = capital(name);
  const create: Operation = {
    method: "post",
    action: "post",
    id: idOf("create", resource, suffix),
    description: `create ${name} of an object of kind ${resource.kind}`,
    gvk,
    parameters: WRITE,
    body: { types: ANY_TYPE, of: "part" },
    answer: "part",
  };
  return [
    ...changes(resource, { verbs, of: "part", gvk, suffix, what: `${name} of an object` }),
    ...(verbs.includes("create") ? [create] : []),
  ];
}

interface Change {
  readonly verbs: readonly Verb[];
  readonly of: "object" | "part";
  readonly gvk: Operation["gvk"];
  readonly suffix: string;
  readonly what: string;
}

/** Reading, replacing and patching one object or one part of it. */
function changes(resource: Resource, { verbs, of, gvk, suffix, what }: Change): readonly Operation[] {
  const operation = (
    method: "get" | "put" | "patch",
    verb: string,
    parameters: readonly Parameter[],
    body: Operation["body"],
  ): Operation => ({
    method,
    action: method,
    id: idOf(verb, resource, suffix),
    description: `${verb} ${what} of kind ${resource.kind}`,
    gvk,
    parameters,
    body,
    answer: of,
  });
  return [
    ...(verbs.includes("get") ? [operation("get", "read", [], undefined)] : []),
    ...(verbs.includes("update") ? [operation("put", "replace", WRITE, { types: ANY_TYPE, of })] : []),
    ...(verbs.includes("patch")
      ? [operation("patch", "patch", [...WRITE, FORCE], { types: patchTypesOf(resource), of: "patch" })]
      : []),
  ];
}
