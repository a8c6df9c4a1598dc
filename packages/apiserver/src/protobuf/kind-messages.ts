import { API_TYPES } from "../api-types/index.ts";
import { MessageTables } from "./message-table.ts";
import type { MessageTable } from "./message-table.ts";

const TABLES = new MessageTables(API_TYPES);

/** `runtime.Unknown`, the envelope of every body. */
export const ENVELOPE: MessageTable = TABLES.get("runtime.Unknown");

/** Returns the message table of a served built-in kind; undefined for any other kind. */
export function messageOf(apiVersion: string, kind: string): MessageTable | undefined {
  // Clients send DeleteOptions in the apiVersion of the deleted object.
  const type = kind === "DeleteOptions" ? "meta.v1.DeleteOptions" : API_TYPES.typeOfKind(apiVersion, kind);
  return type === undefined ? undefined : TABLES.get(type);
}
