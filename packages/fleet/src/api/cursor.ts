import { textProblem } from "@levelset/core";
import { COLUMNS } from "../search/index.ts";
import type { Order } from "../search/index.ts";
import type { ListPosition } from "../store/index.ts";

/** A position in a list as callers carry it: opaque, and good for the same order only. */
export function cursorOf(order: Order, { values, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([orderText(order), id, ...values])).toString("base64url");
}

/** The position that a cursor stands for; undefined if it is none, or of another order. */
export function readCursor(order: Order, cursor: string): ListPosition | undefined {
  const parts = partsOf(cursor);
  if (parts === undefined) return undefined;
  const [text, id, ...values] = parts;
  if (text !== orderText(order) || typeof id !== "string" || textProblem(id) !== undefined) return undefined;
  const isWhole = values.length === order.length && values.every((value, index) => fits(order, index, value));
  // Each of them was looked at.
  return isWhole ? { id, values: values as ListPosition["values"] } : undefined;
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
