import {
  apiVersionOf,
  childFinalizerName,
  controllerReference,
  encodeFields,
  fieldsOfValue,
  formatKey,
  hashOf,
  isElsewhere,
  keyOf,
  objectType,
  ownerMark,
  parseApiVersion,
  parseJson,
  stringifyJson,
  withOwner,
} from "@levelset/core";
import type { JsonObject, Kind, KubeObject, NewMeta, NewObject, ObjectKey } from "@levelset/core";
import { isSecret, withoutStringData } from "../apply/index.ts";

/** How a child hangs on its owner. */
export interface ChildOptions {
  /** The step that makes it: no other step takes it for one of its own. */
  readonly step: string;
  /** Whether it has an owner reference and is collected with the owner; else it carries a mark, and its step removes it. */
  readonly owned: boolean;
  /** Whether it carries the owner's child finalizer, so that it cannot vanish while the owner lives. */
  readonly protect: boolean;
}

/** What is applied for a child. */
export interface ChildManifest {
  readonly kind: "manifest";
  readonly key: ObjectKey;
  readonly body: JsonObject & { readonly metadata: JsonObject };
}

/** Why there can be no such child. */
export interface BadManifest {
  readonly kind: "bad";
  readonly problem: string;
}

/** Which step made a child, and under which name: a copy of it under another name is nobody's. */
const STEP_ANNOTATION = "levelset.dev/step";
/** A hash of the paths that were applied, without any value, so that nothing of a Secret shows. */
const APPLIED_ANNOTATION = "levelset.dev/applied";

/** The child as it is applied: what is desired, with the marks of its owner, its step and the fields that are applied. */
export function childManifest(
  owner: KubeObject,
  kind: Kind,
  desired: NewObject,
  options: ChildOptions,
): ChildManifest | BadManifest {
  const hold = isElsewhere(owner) ? { ...options, owned: false } : options;
  const place = placeOf(owner, kind, desired.metadata, hold);
  if (place.kind === "bad") return place;
  const { key } = place;
  const metadata = metadataOf(owner, key, desired.metadata, hold);
  const head = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const body = writable(kind, json({ ...desired, ...head, metadata }));
  const applied = hashOf(encodeFields(fieldsOfValue(objectType(kind.schema), body)));
  const annotations = { ...metadata.annotations, [APPLIED_ANNOTATION]: applied };
  return { kind: "manifest", key, body: { ...body, metadata: json({ ...metadata, annotations }) } };
}

/** The step of its owner that made a child; undefined for what no step made, such as a copy of a child. */
export function makerOf(child: KubeObject): string | undefined {
  const mark = child.metadata.annotations?.[STEP_ANNOTATION] ?? "";
  const step = mark.slice(0, mark.indexOf("/"));
  return mark === stepMark(step, keyOf(child)) ? step : undefined;
}

function stepMark(step: string, key: ObjectKey): string {
  return `${step}/${formatKey(key)}`;
}

function placeOf(
  owner: KubeObject,
  kind: Kind,
  metadata: NewMeta,
  options: ChildOptions,
): { readonly kind: "place"; readonly key: ObjectKey } | BadManifest {
  const { name = "" } = metadata;
  const bad = (problem: string): BadManifest => ({ kind: "bad", problem: `step ${options.step}: ${problem}` });
  if (name === "") return bad(`the desired ${kind.kind} has no metadata.name`);
  const home = owner.metadata.namespace;
  if (kind.scope === "Cluster") {
    if (!options.owned || home === undefined) return { kind: "place", key: { name } };
    return bad(`${kind.kind} ${name} lives in no namespace and cannot be owned by an object in one: say owned: false`);
  }
  const namespace = metadata.namespace ?? home;
  if (namespace === undefined) return bad(`the desired ${kind.kind} ${name} has no metadata.namespace`);
  if (options.owned && home !== undefined && namespace !== home) {
    return bad(`${kind.kind} ${namespace}/${name} cannot be owned by an object in namespace ${home}: say owned: false`);
  }
  return { kind: "place", key: { namespace, name } };
}

function metadataOf(owner: KubeObject, key: ObjectKey, desired: NewMeta, options: ChildOptions): NewMeta {
  const { labels, annotations, ownerReferences, finalizers = [] } = desired;
  // A protected child is still found when a deletion without dependents took the reference away.
  const mark = options.owned && !options.protect ? undefined : ownerMark(owner);
  const { group } = parseApiVersion(owner.apiVersion);
  const held = options.protect ? [...finalizers, childFinalizerName({ group, kind: owner.kind })] : finalizers;
  const references = options.owned ? withOwner(ownerReferences, controllerReference(owner)) : ownerReferences;
  return {
    ...key,
    ...(labels === undefined && mark === undefined ? {} : { labels: { ...labels, ...mark?.labels } }),
    annotations: { ...annotations, ...mark?.annotations, [STEP_ANNOTATION]: stepMark(options.step, key) },
    ...(references === undefined ? {} : { ownerReferences: references }),
    ...(held.length === 0 ? {} : { finalizers: [...new Set(held)] }),
  };
}

/** An object without what is not written this way. */
function writable(kind: Kind, object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object;
  const fields = kind.hasStatus ? rest : object;
  return isSecret(kind) ? withoutStringData(fields) : fields;
}

/** A value as it travels: nothing undefined in it, and what has a JSON form in that form. */
function json(value: object): JsonObject {
  // An object's JSON is an object.
  return parseJson(stringifyJson(value)) as JsonObject;
}
