import { containsApplied, objectType, toFieldSet } from "@levelset/core/apply";
import { isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";
import { digestOf, isSecret, encodeStringData } from "../../apply/index.ts";
import { withDeclaredNumbers } from "../../client/index.ts";
import { inventoryReference } from "../inventory/inventory.ts";
import type { ManifestItem } from "../spec/item.ts";
import {
  isJobFinalizer,
  MANAGED_LABEL,
  partLabel,
  PRUNE_AFTER_ANNOTATION,
  PRUNING,
  STEADY_STATE_ANNOTATION,
} from "../spec/labels-and-annotations.ts";
import { isNeverOwned } from "../spec/stage.ts";

/** Body of a server-side apply request for one object of a set. */
export interface ApplyBody extends JsonObject {
  readonly metadata: JsonObject;
}

/** Metadata fields that a manifest may set; the server sets the others. */
const METADATA = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];

const MARKS = [PRUNE_AFTER_ANNOTATION, PRUNING, STEADY_STATE_ANNOTATION];

/**
 * Returns the apply body of an object: the manifest, the inventory's owner reference, and a hash of its field paths as
 * label.
 */
export function applyBodyOf(item: ManifestItem, kind: Kind, operandUid: string, inventory: KubeObject): ApplyBody {
  const { metadata, status: _status, ...rest } = plain(item.object);
  const declared = declaredMetadata(metadata as JsonObject);
  const owners = isNeverOwned(item.ref) ? [] : [inventoryReference(inventory) as unknown as JsonObject];
  const references = [...asList(declared["ownerReferences"]), ...owners];
  const body = {
    ...fieldsOf(kind, rest, item.object),
    metadata: { ...declared, ...(references.length === 0 ? {} : { ownerReferences: references }) },
  };
  const fields = digestOf([...toFieldSet(objectType(kind.schema), withoutOwners(body)).paths()]);
  const labels = { ...asMap(declared["labels"]), [MANAGED_LABEL]: "true", [partLabel(operandUid)]: fields };
  return { ...body, metadata: { ...body.metadata, labels } };
}

/** Reports whether an object has every field of a body. */
export function containsBody(kind: Kind, object: KubeObject, body: ApplyBody): boolean {
  // Objects are JSON; their interfaces only lack the index signature.
  return containsApplied(objectType(kind.schema), object as unknown as JsonObject, body);
}

/**
 * Returns the metadata that a manifest may set, without the annotations of the operators in a manifest that was read from a
 * cluster.
 */
function declaredMetadata(metadata: JsonObject): JsonObject {
  const declared = Object.fromEntries(Object.entries(metadata).filter(([name]) => METADATA.includes(name)));
  const { annotations } = declared;
  if (!isJsonObject(annotations) || !MARKS.some((mark) => annotations[mark] !== undefined)) return declared;
  const others = Object.entries(annotations).filter(([name]) => !MARKS.includes(name));
  return { ...declared, annotations: Object.fromEntries(others) };
}

/**
 * Returns the fields beside metadata. Drops status if the kind has a status subresource, and encodes a Secret's
 * stringData.
 */
function fieldsOf(kind: Kind, rest: JsonObject, object: EmbeddedObject): JsonObject {
  const { metadata: _metadata, ...all } = plain(object);
  // Numbers as in the object that the body is compared with. A kind that is only discovered has no schema.
  const fields = withDeclaredNumbers(kind.hasStatus ? rest : all, kind.schema) as JsonObject; // of an object, an object
  return isSecret(kind) ? encodeStringData(fields) : fields;
}

/** Drops owner references and the finalizer of a Job: the hash must not depend on the inventory or on a Job's result. */
function withoutOwners(body: ApplyBody): JsonObject {
  const { ownerReferences: _owners, finalizers, ...metadata } = body.metadata;
  const declared = asList(finalizers).filter((name) => typeof name !== "string" || !isJobFinalizer(name));
  return { ...body, metadata: { ...metadata, ...(declared.length === 0 ? {} : { finalizers: declared }) } };
}

function plain(object: EmbeddedObject): JsonObject {
  return object;
}

function asMap(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // Array.isArray loses the item type
}
