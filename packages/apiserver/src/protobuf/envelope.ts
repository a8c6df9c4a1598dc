import { isJsonObject } from "@levelset/core";
import { decodeMessage } from "./message.ts";
import { messageTable, omitEmptyField } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";
import { ProtobufError, wireFields } from "./wire.ts";

/** Prefix of every protobuf body: "k8s" and a zero byte (k8s.io/apimachinery/pkg/runtime/serializer/protobuf). */
const MAGIC: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

const TYPE_META: MessageTable = messageTable({
  apiVersion: omitEmptyField("string", 1),
  kind: omitEmptyField("string", 2),
});
/** `runtime.Unknown`, without the object itself. */
const UNKNOWN: MessageTable = messageTable({
  typeMeta: omitEmptyField(TYPE_META, 1),
  contentEncoding: omitEmptyField("string", 3),
  contentType: omitEmptyField("string", 4),
});
const RAW = 2;

/** The undecoded object with its type. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Decodes the envelope of a body. Throws `ProtobufError`. */
export function openEnvelope(body: Uint8Array): Envelope {
  if (MAGIC.some((byte, index) => body[index] !== byte)) {
    throw new ProtobufError('the body does not begin with "k8s" and a zero byte');
  }
  const content = body.subarray(MAGIC.length);
  const { typeMeta, contentEncoding = "", contentType = "" } = decodeMessage(UNKNOWN, content);
  if (contentEncoding !== "") throw new ProtobufError("the object is encoded, which is not supported");
  if (contentType !== "" && contentType !== "application/vnd.kubernetes.protobuf") {
    throw new ProtobufError("the object in the envelope is not protobuf");
  }
  const { apiVersion, kind } = isJsonObject(typeMeta) ? typeMeta : {};
  if (typeof kind !== "string") throw new ProtobufError("Object 'Kind' is missing");
  if (typeof apiVersion !== "string") throw new ProtobufError("Object 'apiVersion' is missing");
  return { apiVersion, kind, raw: rawOf(content) };
}

function rawOf(content: Uint8Array): Uint8Array {
  let raw: Uint8Array = new Uint8Array();
  for (const field of wireFields(content)) {
    if (field.number !== RAW) continue;
    if (field.type !== "bytes")
      throw new ProtobufError(`field ${RAW} has wire type ${field.type} where bytes is expected`);
    raw = field.value;
  }
  return raw;
}
