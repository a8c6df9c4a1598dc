import {
  CEL_OPTIONAL_NONE,
  CelDouble,
  CelError,
  CelOptional,
  CelStruct,
  CelUint,
  missingError,
  nativeToValue,
  isInt,
  isList,
  isMap,
  mapGet,
  mapKey,
  typeName,
} from "../value/index.ts";
import type { CelList, CelOutcome, CelValue } from "../value/index.ts";
import type { EvalFunction } from "./frame.ts";

/** `operand.field`. Plain objects take a fast path. */
export function planSelect(operand: EvalFunction, field: string, at: number): EvalFunction {
  const isInherited = field in Object.prototype;
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    if (!isInherited && typeof object === "object" && object !== null) {
      if (Object.getPrototypeOf(object) === Object.prototype) {
        // A plain object is a JSON object: every other value has its own prototype.
        const value = (object as { readonly [key: string]: CelValue })[field];
        if (value !== undefined) return nativeToValue(value);
      }
    }
    return attachOffset(select(object, field), at);
  };
}

/** `has(operand.field)`. */
export function planPresenceTest(operand: EvalFunction, field: string, at: number): EvalFunction {
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    return attachOffset(test(object, field), at);
  };
}

/** `operand.?field`. */
export function planOptionalSelect(operand: EvalFunction, field: string, at: number): EvalFunction {
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    return attachOffset(optionalSelect(object, field), at);
  };
}

/** `operand[index]`. */
export function planIndex(operand: EvalFunction, index: EvalFunction, at: number): EvalFunction {
  return (frame) => {
    const container = operand(frame);
    const key = index(frame);
    frame.spent += 1;
    if (isList(container) && typeof key === "number") {
      const value = container[key];
      if (value !== undefined) return nativeToValue(value);
    }
    if (container instanceof CelError) return container;
    if (key instanceof CelError) return key;
    return attachOffset(indexed(container, key), at);
  };
}

/** `operand[?index]`. */
export function planOptionalIndex(operand: EvalFunction, index: EvalFunction, at: number): EvalFunction {
  return (frame) => {
    const container = operand(frame);
    const key = index(frame);
    frame.spent += 1;
    if (container instanceof CelError) return container;
    if (key instanceof CelError) return key;
    const inner = container instanceof CelOptional ? container.value : container;
    return inner === undefined ? CEL_OPTIONAL_NONE : attachOffset(optionalIndexed(inner, key), at);
  };
}

/** Returns the result, with the location set if it is an error without one. */
export function attachOffset(outcome: CelOutcome, at: number): CelOutcome {
  return outcome instanceof CelError ? outcome.withOffset(at) : outcome;
}

function select(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelError) return object;
  if (object instanceof CelOptional) return optionalSelect(object, field);
  if (object instanceof CelStruct) return object.get(field);
  if (!isMap(object)) {
    const message = `no such overload: ${typeName(object)}.${field}: no such key: ${field}`;
    return object === null ? missingError(message) : new CelError(message);
  }
  const value = mapGet(object, field);
  return value === undefined ? missingError(`no such key: ${field}`) : nativeToValue(value);
}

function test(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelError) return object;
  if (object instanceof CelOptional) return object.value === undefined ? false : test(object.value, field);
  if (object instanceof CelStruct) return object.has(field);
  if (isMap(object)) return mapGet(object, field) !== undefined;
  return new CelError(`no such overload: has(${typeName(object)}.${field})`);
}

function optionalSelect(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelError) return object;
  if (object instanceof CelOptional) {
    return object.value === undefined ? CEL_OPTIONAL_NONE : optionalSelect(object.value, field);
  }
  const present = test(object, field);
  if (present instanceof CelError) return new CelError(`no such key: ${field}`, -1, object === null);
  if (present !== true) return CEL_OPTIONAL_NONE;
  const value = select(object, field);
  return value instanceof CelError ? value : new CelOptional(value);
}

/** Returns a list index: an int, or a uint or double that equals one; undefined for other values. */
function listIndex(key: CelValue): number | undefined {
  if (isInt(key)) return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  return key instanceof CelDouble && Number.isInteger(key.value) ? key.value : undefined;
}

function element(list: CelList, key: CelValue): CelValue | CelError | undefined {
  const index = listIndex(key);
  if (index === undefined) return new CelError(`no such overload: list[${typeName(key)}]: invalid_argument`);
  const value = list[index];
  return value === undefined ? undefined : nativeToValue(value);
}

/** Returns the value at an index; undefined if there is no such entry. */
function find(container: CelValue, key: CelValue): CelValue | CelError | undefined {
  if (isList(container)) return element(container, key);
  if (!isMap(container)) return new CelError(`no such overload: ${typeName(container)}[${typeName(key)}]`);
  const normal = mapKey(key);
  if (normal === undefined && !(key instanceof CelDouble)) {
    return new CelError(`unsupported key type: ${typeName(key)}: no such key`);
  }
  const value = normal === undefined ? undefined : mapGet(container, normal);
  return value === undefined ? undefined : nativeToValue(value);
}

function indexed(container: CelValue, key: CelValue): CelOutcome {
  if (container instanceof CelOptional) {
    return container.value === undefined ? CEL_OPTIONAL_NONE : optionalIndexed(container.value, key);
  }
  const value = find(container, key);
  if (value !== undefined) return value;
  return missingError(isList(container) ? `index out of bounds: ${showKey(key)}` : `no such key: ${showKey(key)}`);
}

function optionalIndexed(container: CelValue, key: CelValue): CelOutcome {
  const value = find(container, key);
  if (value === undefined) return CEL_OPTIONAL_NONE;
  return value instanceof CelError ? value : new CelOptional(value);
}

function showKey(key: CelValue): string {
  const normal = mapKey(key);
  return normal === undefined ? typeName(key) : String(normal).slice(0, 100);
}
