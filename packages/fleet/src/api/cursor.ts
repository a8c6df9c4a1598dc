import { textProblem } from "@levelset/core/internal";
import { COLUMNS } from "../search/index.ts";
import type { Order } from "../search/index.ts";
import type { ListCursor } from "../store/index.ts";

/** Encodes a list position as an opaque cursor, valid only for the same order. */
export function encodeCursor(order: Order, { values, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([orderText(order), id, ...values])).toString("base64url");
}

/** Decodes a cursor; undefined if it is malformed or belongs to another order. */
export function decodeCursor(order: Order, cursor: string): ListCursor | undefined {
  const parts = partsOf(cursor);
  if (parts === undefined) return undefined;
  const [text, id, ...values] = parts;
  if (text !== orderText(order) || typeof id !== "string" || textProblem(id) !== undefined) return undefined;
  const isWhole = values.length === order.length && values.every((value, index) => fits(order, index, value));
  // Each value was checked above.
  return isWhole ? { id, values: values as ListCursor["values"] } : undefined;
}

function partsOf(cursor: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function fits(order: Order, index: number, value: unknown): boolean {
  const term = order[index];
  if (term === undefined) return false;
  const { type, isNullable } = COLUMNS[term.column];
  if (value === null) return isNullable;
  return type === "text" ? typeof value === "string" && textProblem(value) === undefined : Number.isSafeInteger(value);
}

function orderText(order: Order): string {
  return order.map(({ column, direction }) => `${column} ${direction}`).join(",");
}
