import type { JsonObject } from "@levelset/core";
import { openEnvelope } from "./envelope.ts";
import { messageOf } from "./kinds.ts";
import { decodeMessage } from "./message.ts";

/** What a body turned out to be. */
export type Reading =
  | { readonly kind: "object"; readonly object: JsonObject }
  /** A kind that there is no table for, such as a declared one: these have no form in protobuf. */
  | { readonly kind: "unknown"; readonly objectKind: string; readonly apiVersion: string };

/** Reads a body in protobuf as what its client would have sent in JSON. Throws `ProtobufError`. */
export function readProtobuf(body: Uint8Array): Reading {
  const { apiVersion, kind, raw } = openEnvelope(body);
  const table = messageOf(apiVersion, kind);
  if (table === undefined) return { kind: "unknown", objectKind: kind, apiVersion };
  return { kind: "object", object: { apiVersion, kind, ...decodeMessage(table, raw) } };
}
