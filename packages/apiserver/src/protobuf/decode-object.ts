import type { JsonObject } from "@levelset/core";
import { openEnvelope } from "./envelope.ts";
import { messageOf } from "./kind-messages.ts";
import { decodeMessage } from "./message.ts";

/** Result of decoding a body. */
export type DecodeObjectResult =
  | { readonly kind: "object"; readonly object: JsonObject }
  /** A kind without a message table, such as a custom resource, which has no protobuf encoding. */
  | { readonly kind: "unknown"; readonly objectKind: string; readonly apiVersion: string };

/** Decodes a protobuf body to the equivalent JSON object. Throws `ProtobufError`. */
export function decodeProtobuf(body: Uint8Array): DecodeObjectResult {
  const { apiVersion, kind, raw } = openEnvelope(body);
  const table = messageOf(apiVersion, kind);
  if (table === undefined) return { kind: "unknown", objectKind: kind, apiVersion };
  return { kind: "object", object: { apiVersion, kind, ...decodeMessage(table, raw) } };
}
