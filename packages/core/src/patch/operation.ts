import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { PatchError } from "./error.ts";
import { parsePointer, PointerError } from "./pointer.ts";

/** One change of a JSON patch (RFC 6902). `path` and `from` are JSON pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** How many operations a patch may have; the limit of kube-apiserver. */
export const JSON_PATCH_OPERATIONS_MAX = 10_000;

/**
 * Checks a JSON patch that came from outside as JSON. Members that an operation does not use are dropped. Throws a
 * `PatchError` of kind "invalid" for a document that is no patch or has too many operations.
 */
export function parseJsonPatch(value: unknown): readonly JsonPatchOperation[] {
  if (!Array.isArray(value)) throw new PatchError("invalid", "a patch is an array of operations");
  if (value.length > JSON_PATCH_OPERATIONS_MAX) {
    const limit = `a patch has at most ${JSON_PATCH_OPERATIONS_MAX} operations`;
    throw new PatchError("invalid", `${limit}, this one has ${value.length}`);
  }
  return value.map((operation: unknown, index) => parseOperation(operation, index));
}

/** The tokens of a pointer in operation `index`; throws a `PatchError` for one that is malformed. */
export function operationPointer(pointer: string, index: number): readonly string[] {
  try {
    return parsePointer(pointer);
  } catch (error) {
    if (!(error instanceof PointerError)) throw error;
    throw new PatchError("invalid", `'${pointer}': ${error.message}`, { index, path: pointer });
  }
}

function parseOperation(operation: unknown, index: number): JsonPatchOperation {
  if (!isJsonObject(operation)) throw new PatchError("invalid", "an operation is an object", { index });
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
      throw new PatchError("invalid", "'op' is one of add, remove, replace, move, copy, test", { index });
  }
}

type Members = Readonly<Record<string, unknown>>;

function member(operation: Members, name: string): unknown {
  return Object.hasOwn(operation, name) ? operation[name] : undefined;
}

function pointerMember(operation: Members, name: "path" | "from", index: number): string {
  const pointer = member(operation, name);
  if (typeof pointer !== "string") throw new PatchError("invalid", `'${name}' must be a JSON pointer`, { index });
  operationPointer(pointer, index);
  return pointer;
}

function valueMember(operation: Members, index: number): JsonValue {
  const value = member(operation, "value");
  if (value === undefined) throw new PatchError("invalid", "'value' is missing", { index });
  // The document is JSON, hence all that it holds; walking every value to prove it would be for nothing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as JsonValue;
}
