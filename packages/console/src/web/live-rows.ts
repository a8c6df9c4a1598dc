import type { TopicMessage } from "../api/index.ts";

/** Applies a stream message to a list; returns whether it changed. */
export function applyToRows<Row extends { readonly id: string }>(
  rows: Map<string, Row>,
  message: TopicMessage,
): boolean {
  switch (message.kind) {
    case "reset":
      rows.clear();
      put(rows, message.rows);
      return true;
    case "change":
      put(rows, message.put);
      for (const id of message.removed) rows.delete(id);
      return true;
    case "document":
    case "failed":
      return false;
  }
}

function put<Row extends { readonly id: string }>(
  rows: Map<string, Row>,
  added: readonly { readonly id: string }[],
): void {
  // All rows of a topic have one type; see `Tables`.
  for (const row of added) rows.set(row.id, row as Row);
}
