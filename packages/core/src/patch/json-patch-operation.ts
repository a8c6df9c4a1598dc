import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { JsonPatchError } from "./json-patch-error.ts";
import { parseJsonPointer, JsonPointerError } from "./json-pointer.ts";

/** An operation of a JSON patch (RFC 6902). `path` and `from` are JSON pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/**
 * Maximum number of operations of a patch (`maxJSONPatchOperations`, k8s.io/apiserver/pkg/endpoints/handlers/patch.go).
 */
export const JSON_PATCH_OPERATIONS_MAX = 10_000;

/**
 * Parses a JSON patch. Unused members of operations are dropped. Throws a `JsonPatchError` of kind "invalid" for an
 * invalid document or too many operations.
 */
export function parseJsonPatch(value: unknown): readonly JsonPatchOperation[] {
  if (!Array.isArray(value)) throw new JsonPatchError("invalid", "a patch must be an array of operations");
  if (value.length > JSON_PATCH_OPERATIONS_MAX) {
    const limit = `a patch can have at most ${JSON_PATCH_OPERATIONS_MAX} operations`;
    throw new JsonPatchError("invalid", `${limit}, this one has ${value.length}`);
  }
  return value.map((operation: unknown, index) => parseOperation(operation, index));
}

/** Parses a pointer of operation `index`. Throws a `JsonPatchError` if it is malformed. */
export function operationPointer(pointer: string, index: number): readonly string[] {
  try {
    return parseJsonPointer(pointer);
  } catch (error) {
    if (!(error instanceof JsonPointerError)) throw error;
    throw new JsonPatchError("invalid", `'${pointer}': ${error.message}`, { index, path: pointer });
  }
}

function parseOperation(operation: unknown, index: number): JsonPatchOperation {
  if (!isJsonObject(operation)) throw new JsonPatchError("invalid", "an operation must be an object", { index });
  const op = member(operation, "op");
  switch (op) {
    case "add":
    case "replace":
    case "test":
      return { op, path: pointerMember(operation, "path", index), value: valueMember(operation, index) };
    case "remove":
      return { op, path: pointerMember(operation, "path", index) };
    case "move":
    case "copy":
      return { op, from: pointerMember(operation, "from", index), path: pointerMember(operation, "path", index) };
    default:
      throw new JsonPatchError("invalid", "'op' must be one of add, remove, replace, move, copy, test", { index });
  }
}

type Members = Readonly<Record<string, unknown>>;

function member(operation: Members, name: string): unknown {
  return Object.hasOwn(operation, name) ? operation[name] : undefined;
}

function pointerMember(operation: Members, name: "path" | "from", index: number): string {
  const pointer = member(operation, name);
  if (typeof pointer !== "string") throw new JsonPatchError("invalid", `'${name}' must be a JSON pointer`, { index });
  operationPointer(pointer, index);
  return pointer;
}

function valueMember(operation: Members, index: number): JsonValue {
  const value = member(operation, "value");
  if (value === undefined) throw new JsonPatchError("invalid", "'value' is missing", { index });
  // The document is JSON, hence all that it holds; walking every value to prove it would be for nothing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as JsonValue;
}
