import { apiVersionOf, fieldsOfValue, isJsonObject, objectType } from "@levelset/core";
import type { EmbeddedObject, JsonObject, JsonValue, Kind, KubeObject, OwnerReference } from "@levelset/core";
import { digestOf, isSecret, withoutStringData } from "../apply/index.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import type { Item } from "./item.ts";
import { MANAGED_LABEL, partLabel, PRUNE_AFTER, PRUNING } from "./marks.ts";
import { isNeverOwned } from "./stage.ts";

/** What is sent for an object of a set. */
export interface Body extends JsonObject {
  readonly metadata: JsonObject;
}

/** What the metadata of a manifest may say; the rest is the server's. */
const METADATA = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];

const MARKS = [PRUNE_AFTER, PRUNING];

/** A reference by which an inventory owns an object, beside whoever controls it. */
export function inventoryReference(inventory: KubeObject): OwnerReference {
  const { name, uid } = inventory.metadata;
  return { apiVersion: apiVersionOf(ClusterActiveOperand), kind: ClusterActiveOperand.kind, name, uid };
}

/** An object of a set as it is applied: the manifest, whose it is, and a hash of the paths in it. */
export function bodyOf(item: Item, kind: Kind, operandUid: string, inventory: KubeObject): Body {
  const { metadata, status: _status, ...rest } = plain(item.object);
  const said = saidOf(metadata as JsonObject);
  const owners = isNeverOwned(item.ref) ? [] : [inventoryReference(inventory) as unknown as JsonObject];
  const references = [...asList(said["ownerReferences"]), ...owners];
  const body = {
    ...fieldsOf(kind, rest, item.object),
    metadata: { ...said, ...(references.length === 0 ? {} : { ownerReferences: references }) },
  };
  const fields = digestOf([...fieldsOfValue(objectType(kind.schema), withoutOwners(body)).paths()]);
  const labels = { ...asMap(said["labels"]), [MANAGED_LABEL]: "true", [partLabel(operandUid)]: fields };
  return { ...body, metadata: { ...body.metadata, labels } };
}

/** What the metadata of a manifest says, without marks of a prune, as in a manifest that was read from a cluster. */
function saidOf(metadata: JsonObject): JsonObject {
  const said = Object.fromEntries(Object.entries(metadata).filter(([name]) => METADATA.includes(name)));
  const { annotations } = said;
  if (!isJsonObject(annotations) || !MARKS.some((mark) => annotations[mark] !== undefined)) return said;
  const others = Object.entries(annotations).filter(([name]) => !MARKS.includes(name));
  return { ...said, annotations: Object.fromEntries(others) };
}

/** What a manifest says beside its metadata, without what is not written this way. */
function fieldsOf(kind: Kind, rest: JsonObject, object: EmbeddedObject): JsonObject {
  const { metadata: _metadata, ...all } = plain(object);
  const fields = kind.hasStatus ? rest : all;
  return isSecret(kind) ? withoutStringData(fields) : fields;
}

/** Which inventory owns it is no part of what was asked for. */
function withoutOwners(body: Body): JsonObject {
  const { ownerReferences: _owners, ...metadata } = body.metadata;
  return { ...body, metadata };
}

function plain(object: EmbeddedObject): JsonObject {
  return object;
}

function asMap(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // isArray loses the type of the items
}
