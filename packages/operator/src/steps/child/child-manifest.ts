import { apiVersionOf, controllerReference, formatKey, hashJson, objectKeyOf } from "@levelset/core";
import {
  childFinalizerName,
  isRemoteOwner,
  LruCache,
  ownerAnnotations,
  parseApiVersion,
  parseJson,
  stringifyJson,
  withOwnerReference,
} from "@levelset/core/internal";
import { encodeFieldsV1, toFieldSet, objectType } from "@levelset/core/apply";
import type { JsonObject, Kind, KubeObject, NewMeta, NewObject, ObjectKey } from "@levelset/core";
import { isSecret, encodeStringData } from "../../apply/index.ts";
import { withDeclaredNumbers } from "../../client/index.ts";

/** Ownership of a child. */
export interface ChildOptions {
  /** The step that creates the child; other steps ignore it. */
  readonly step: string;
  /**
   * True if the child has an owner reference and is garbage-collected with the owner. Otherwise an annotation names the
   * owner, and the step deletes the child.
   */
  readonly owned: boolean;
  /** True if the child has the owner's child finalizer, so that it cannot be deleted while the owner exists. */
  readonly protect: boolean;
  /** True if the owner annotation is added also beside an owner reference. Default: only if `protect` is true. */
  readonly annotate?: boolean;
}

/** Apply body of a child. */
export interface ChildManifest {
  readonly kind: "manifest";
  readonly key: ObjectKey;
  /** Hash of the applied field paths and the owner's UID. */
  readonly applied: string;
  readonly body: JsonObject & { readonly metadata: JsonObject };
  /**
   * Returns the body to compare with an existing child. The hash of children without an owner reference did not cover
   * the UID in version 0.1; they are not applied again only because of that.
   */
  readonly comparedTo: (child: KubeObject) => ChildManifest["body"];
}

/** Why a child is invalid. */
export interface InvalidChildManifest {
  readonly kind: "bad";
  readonly problem: string;
}

/** Step and name that a child was created under: a copy under another name belongs to no step. */
export const STEP_ANNOTATION = "levelset.dev/step";
/** Hash of the applied field paths and the owner's UID. It contains no values, so that it reveals nothing of a Secret. */
export const APPLIED_ANNOTATION = "levelset.dev/applied";

/**
 * Returns the child's apply body: the desired object with annotations for its owner, its step and the applied fields.
 */
export function childManifest(
  owner: KubeObject,
  kind: Kind,
  desired: NewObject,
  options: ChildOptions,
): ChildManifest | InvalidChildManifest {
  const hold = isRemoteOwner(owner) ? { ...options, owned: false } : options;
  const place = placeOf(owner, kind, desired.metadata, hold);
  if (place.kind === "bad") return place;
  const { key } = place;
  const metadata = metadataOf(owner, key, desired.metadata, hold);
  const head = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const text = stringifyJson({ ...desired, ...head, metadata });
  const { uid } = owner.metadata;
  const create = (): ChildManifest => manifestOf(uid, kind, key, text, hold.owned);
  if (text.length > CACHED_LENGTH_MAX || isSecret(kind)) return create();
  const known = manifests.get(kind) ?? new LruCache<string, ChildManifest>(CACHED_MAX);
  manifests.set(kind, known);
  return known.getOrCreate(`${uid} ${hold.owned} ${text}`, create);
}

/** Maximum number of cached manifests of a kind. */
const CACHED_MAX = 256;
/** Maximum length of the text of a cached manifest. */
const CACHED_LENGTH_MAX = 16_384;
/**
 * Manifests by the text of the desired object. Most runs of a step desire what the one before desired, and hashing its
 * field paths takes longer than comparing the text.
 */
const manifests = new WeakMap<Kind, LruCache<string, ChildManifest>>();

function manifestOf(uid: string, kind: Kind, key: ObjectKey, text: string, owned: boolean): ChildManifest {
  // The text of an object with metadata. Numbers as in the child that it is compared with.
  const whole = withDeclaredNumbers(parseJson(text), kind.schema) as ChildManifest["body"];
  const body = writable(kind, whole);
  const fields = encodeFieldsV1(toFieldSet(objectType(kind.schema), body));
  // The path of an owner reference contains the UID.
  const applied = hashJson(owned ? fields : [uid, fields]);
  const hashed = (hash: string): ChildManifest["body"] => ({
    ...body,
    metadata: {
      ...whole.metadata,
      annotations: { ...(whole.metadata["annotations"] as JsonObject), [APPLIED_ANNOTATION]: hash },
    },
  });
  const current = hashed(applied);
  const comparedTo = ({ metadata: { annotations } }: KubeObject): ChildManifest["body"] => {
    const found = annotations?.[APPLIED_ANNOTATION];
    return owned || found === applied || found !== hashJson(fields) ? current : hashed(found);
  };
  return { kind: "manifest", key, applied, body: current, comparedTo };
}

/** Returns the step that created a child; undefined for other objects, such as a copy of a child. */
export function creatingStepOf(child: KubeObject): string | undefined {
  const mark = child.metadata.annotations?.[STEP_ANNOTATION] ?? "";
  const step = mark.slice(0, mark.indexOf("/"));
  return mark === stepMark(step, objectKeyOf(child)) ? step : undefined;
}

function stepMark(step: string, key: ObjectKey): string {
  return `${step}/${formatKey(key)}`;
}

function placeOf(
  owner: KubeObject,
  kind: Kind,
  metadata: NewMeta,
  options: ChildOptions,
): { readonly kind: "place"; readonly key: ObjectKey } | InvalidChildManifest {
  const { name = "" } = metadata;
  const bad = (problem: string): InvalidChildManifest => ({ kind: "bad", problem: `step ${options.step}: ${problem}` });
  if (name === "") return bad(`the desired ${kind.kind} has no metadata.name`);
  const home = owner.metadata.namespace;
  if (kind.scope === "Cluster") {
    if (!options.owned || home === undefined) return { kind: "place", key: { name } };
    return bad(`${kind.kind} ${name} is cluster-scoped and cannot be owned by a namespaced object: set owned: false`);
  }
  const namespace = metadata.namespace ?? home;
  if (namespace === undefined) return bad(`the desired ${kind.kind} ${name} has no metadata.namespace`);
  if (options.owned && home !== undefined && namespace !== home) {
    return bad(`${kind.kind} ${namespace}/${name} cannot be owned by an object in namespace ${home}: set owned: false`);
  }
  return { kind: "place", key: { namespace, name } };
}

function metadataOf(owner: KubeObject, key: ObjectKey, desired: NewMeta, options: ChildOptions): NewMeta {
  const { labels, annotations, ownerReferences, finalizers = [] } = desired;
  // The annotation still identifies a child with our finalizer after orphan propagation removed the owner reference.
  const { owned, protect, annotate = protect } = options;
  const mark = owned && !annotate ? undefined : ownerAnnotations(owner);
  const { group } = parseApiVersion(owner.apiVersion);
  const held = protect ? [...finalizers, childFinalizerName({ group, kind: owner.kind })] : finalizers;
  const references = owned ? withOwnerReference(ownerReferences, controllerReference(owner)) : ownerReferences;
  return {
    ...key,
    ...(labels === undefined && mark === undefined ? {} : { labels: { ...labels, ...mark?.labels } }),
    annotations: { ...annotations, ...mark?.annotations, [STEP_ANNOTATION]: stepMark(options.step, key) },
    ...(references === undefined ? {} : { ownerReferences: references }),
    ...(held.length === 0 ? {} : { finalizers: [...new Set(held)] }),
  };
}

/** Returns an object without fields that this request cannot write. */
function writable(kind: Kind, object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object;
  const fields = kind.hasStatus ? rest : object;
  return isSecret(kind) ? encodeStringData(fields) : fields;
}
