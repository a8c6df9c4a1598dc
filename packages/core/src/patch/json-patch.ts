/**
 * JSON patch (RFC 6902): a list of operations, applied in order, all or none. Documents are not mutated: an operation
 * rebuilds the containers from the root to the changed location and shares the rest.
 */
import { deepEqual, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { JsonPatchError } from "./json-patch-error.ts";
import type { JsonPatchErrorKind } from "./json-patch-error.ts";
import { operationPointer } from "./json-patch-operation.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";
import { jsonSize } from "./json-size.ts";

/**
 * Maximum total size of the JSON copied by one patch. A few `copy` operations can double a document into gigabytes.
 * kube-apiserver has the same limit (`JSONPatchMaxCopyBytes`, k8s.io/apiserver/pkg/server/config.go).
 */
export const JSON_PATCH_COPY_SIZE_MAX: number = 3 * 1024 * 1024;

/** Applies the operations to `target`. Throws a `JsonPatchError` if one of them does not apply. */
export function applyJsonPatch(target: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  let document = target;
  let copyBudget = JSON_PATCH_COPY_SIZE_MAX;
  for (const [index, operation] of operations.entries()) {
    const at = new Place(index, operation.op, operation.path);
    if (operation.op === "copy") copyBudget -= copyCost(document, operation.from, copyBudget, at);
    document = applyOperation(document, operation, at);
  }
  return document;
}

function applyOperation(document: JsonValue, operation: JsonPatchOperation, at: Place): JsonValue {
  switch (operation.op) {
    case "add":
      return insert(document, at.tokens, operation.value, at);
    case "remove":
      return remove(document, at.tokens, at);
    case "replace":
      return replace(document, at.tokens, operation.value, at);
    case "test":
      if (deepEqual(find(document, at.tokens, at), operation.value)) return document;
      throw at.error("test-failed", "the value differs");
    case "copy":
      return insert(document, at.tokens, findFrom(document, operation.from, at), at);
    case "move":
      return move(document, operation.from, at);
    default:
      return operation satisfies never;
  }
}

function move(document: JsonValue, from: string, at: Place): JsonValue {
  const value = findFrom(document, from, at);
  if (from === at.path) return document;
  if (at.path.startsWith(`${from}/`)) throw at.error("invalid", `'${from}' cannot move into itself`);
  const source = new Place(at.index, at.op, from);
  return insert(remove(document, source.tokens, source), at.tokens, value, at);
}

/** The location of an operation, for lookup and error messages. */
class Place {
  readonly index: number;
  readonly op: string;
  readonly path: string;
  readonly tokens: readonly string[];

  constructor(index: number, op: string, path: string) {
    this.index = index;
    this.op = op;
    this.path = path;
    this.tokens = operationPointer(path, index);
  }

  missing(token: string): JsonPatchError {
    return this.error("missing", `'${token}' does not exist`);
  }

  error(kind: JsonPatchErrorKind, reason: string): JsonPatchError {
    return new JsonPatchError(kind, `${this.op} '${this.path}': ${reason}`, { index: this.index, path: this.path });
  }
}

function findFrom(document: JsonValue, from: string, at: Place): JsonValue {
  const source = new Place(at.index, at.op, from);
  return find(document, source.tokens, source);
}

function copyCost(document: JsonValue, from: string, budget: number, at: Place): number {
  const size = jsonSize(findFrom(document, from, at), budget);
  if (size > budget) throw at.error("invalid", `the copies of a patch exceed ${JSON_PATCH_COPY_SIZE_MAX} bytes`);
  return size;
}

function find(document: JsonValue, tokens: readonly string[], at: Place): JsonValue {
  let value = document;
  for (const token of tokens) value = child(value, token, at);
  return value;
}

function child(parent: JsonValue, token: string, at: Place): JsonValue {
  if (isArray(parent)) {
    const item = parent[arrayIndex(parent, token, "existing", at)];
    if (item !== undefined) return item;
  } else if (isJsonObject(parent)) {
    const member = Object.hasOwn(parent, token) ? parent[token] : undefined;
    if (member !== undefined) return member;
  }
  throw at.missing(token);
}

/** Returns `document` with the container of the last token replaced by the result of `edit`. */
function editContainer(
  document: JsonValue,
  tokens: readonly string[],
  at: Place,
  edit: (container: JsonValue, token: string) => JsonValue,
): JsonValue {
  const [token = "", ...rest] = tokens;
  if (rest.length === 0) return edit(document, token);
  const changed = editContainer(child(document, token, at), rest, at, edit);
  return withChild(document, token, changed, at);
}

/** A container with an existing child replaced. */
function withChild(container: JsonValue, token: string, value: JsonValue, at: Place): JsonValue {
  if (isArray(container)) return container.with(arrayIndex(container, token, "existing", at), value);
  if (isJsonObject(container)) return { ...container, [token]: value };
  throw at.missing(token);
}

function insert(document: JsonValue, tokens: readonly string[], value: JsonValue, at: Place): JsonValue {
  if (tokens.length === 0) return value;
  return editContainer(document, tokens, at, (container, token) => {
    if (isArray(container)) return container.toSpliced(arrayIndex(container, token, "new", at), 0, value);
    return withChild(container, token, value, at);
  });
}

function replace(document: JsonValue, tokens: readonly string[], value: JsonValue, at: Place): JsonValue {
  if (tokens.length === 0) return value;
  return editContainer(document, tokens, at, (container, token) => {
    child(container, token, at);
    return withChild(container, token, value, at);
  });
}

function remove(document: JsonValue, tokens: readonly string[], at: Place): JsonValue {
  if (tokens.length === 0) throw at.error("invalid", "the whole document cannot be removed");
  return editContainer(document, tokens, at, (container, token) => {
    if (isArray(container)) return container.toSpliced(arrayIndex(container, token, "existing", at), 1);
    if (!isJsonObject(container) || !Object.hasOwn(container, token)) throw at.missing(token);
    return Object.fromEntries(Object.entries(container).filter(([key]) => key !== token));
  });
}

/** Returns the index of a token: of an existing element, or of one to insert, where `-` is the end. */
function arrayIndex(array: readonly JsonValue[], token: string, element: "existing" | "new", at: Place): number {
  if (token === "-") {
    if (element === "new") return array.length;
    throw at.error("missing", "'-' is the element after the last");
  }
  if (!/^(?:0|[1-9]\d*)$/.test(token)) throw at.error("invalid", `'${token}' is not an array index`);
  const index = Number(token);
  const limit = element === "new" ? array.length : array.length - 1;
  if (index > limit) throw at.error("missing", `index ${token} is out of range of an array of ${array.length}`);
  return index;
}

/** `Array.isArray` for readonly arrays, which TypeScript's own declaration does not narrow. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
