import { ENVELOPE } from "./kind-messages.ts";
import { decodeMessage } from "./message.ts";
import type { MessageTable } from "./message-table.ts";
import { ProtobufError, wireFields } from "./wire.ts";

/** Prefix of every protobuf body: "k8s" and a zero byte (k8s.io/apimachinery/pkg/runtime/serializer/protobuf). */
const MAGIC: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** The field of the envelope with the object itself. */
const RAW = [...ENVELOPE].find(([, field]) => field.shape === "one" && field.name === "raw")?.[0];

/** The envelope without the object, whose bytes are decoded by the table of its kind. */
const HEADER: MessageTable = new Map([...ENVELOPE].filter(([number]) => number !== RAW));

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
  const { apiVersion, kind, contentEncoding = "", contentType = "" } = decodeMessage(HEADER, content);
  if (contentEncoding !== "") throw new ProtobufError("the object is encoded, which is not supported");
  if (contentType !== "" && contentType !== "application/vnd.kubernetes.protobuf") {
    throw new ProtobufError("the object in the envelope is not protobuf");
  }
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
