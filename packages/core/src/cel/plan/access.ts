import {
  CEL_NONE,
  CelDouble,
  CelFault,
  CelOptional,
  CelStruct,
  CelUint,
  absence,
  adapt,
  isInt,
  isList,
  isMap,
  mapGet,
  mapKey,
  typeName,
} from "../value/index.ts";
import type { CelList, CelOutcome, CelValue } from "../value/index.ts";
import type { Run } from "./frame.ts";

/** `operand.field`. Data that is a plain object, as JSON is, takes the short way. */
export function planSelect(operand: Run, field: string, at: number): Run {
  const isInherited = field in Object.prototype;
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    if (!isInherited && typeof object === "object" && object !== null) {
      if (Object.getPrototypeOf(object) === Object.prototype) {
        // A plain object is a JSON object: every other value has a prototype of its own.
        const value = (object as { readonly [key: string]: CelValue })[field];
        if (value !== undefined) return adapt(value);
      }
    }
    return locate(select(object, field), at);
  };
}

/** `has(operand.field)`. */
export function planTest(operand: Run, field: string, at: number): Run {
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    return locate(test(object, field), at);
  };
}

/** `operand.?field`. */
export function planOptionalSelect(operand: Run, field: string, at: number): Run {
  return (frame) => {
    const object = operand(frame);
    frame.spent += 1;
    return locate(optionalSelect(object, field), at);
  };
}

/** `operand[index]`. */
export function planIndex(operand: Run, index: Run, at: number): Run {
  return (frame) => {
    const container = operand(frame);
    const key = index(frame);
    frame.spent += 1;
    if (isList(container) && typeof key === "number") {
      const value = container[key];
      if (value !== undefined) return adapt(value);
    }
    if (container instanceof CelFault) return container;
    if (key instanceof CelFault) return key;
    return locate(indexed(container, key), at);
  };
}

/** `operand[?index]`. */
export function planOptionalIndex(operand: Run, index: Run, at: number): Run {
  return (frame) => {
    const container = operand(frame);
    const key = index(frame);
    frame.spent += 1;
    if (container instanceof CelFault) return container;
    if (key instanceof CelFault) return key;
    const inner = container instanceof CelOptional ? container.value : container;
    return inner === undefined ? CEL_NONE : locate(optionalIndexed(inner, key), at);
  };
}

/** An outcome with its place filled in if it is an error without one. */
export function locate(outcome: CelOutcome, at: number): CelOutcome {
  return outcome instanceof CelFault ? outcome.located(at) : outcome;
}

function select(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelFault) return object;
  if (object instanceof CelOptional) return optionalSelect(object, field);
  if (object instanceof CelStruct) return object.get(field);
  if (!isMap(object)) {
    const message = `no such overload: ${typeName(object)}.${field}: no such key: ${field}`;
    return object === null ? absence(message) : new CelFault(message);
  }
  const value = mapGet(object, field);
  return value === undefined ? absence(`no such key: ${field}`) : adapt(value);
}

function test(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelFault) return object;
  if (object instanceof CelOptional) return object.value === undefined ? false : test(object.value, field);
  if (object instanceof CelStruct) return object.has(field);
  if (isMap(object)) return mapGet(object, field) !== undefined;
  return new CelFault(`no such overload: has(${typeName(object)}.${field})`);
}

function optionalSelect(object: CelOutcome, field: string): CelOutcome {
  if (object instanceof CelFault) return object;
  if (object instanceof CelOptional) {
    return object.value === undefined ? CEL_NONE : optionalSelect(object.value, field);
  }
  const present = test(object, field);
  if (present instanceof CelFault) return new CelFault(`no such key: ${field}`, -1, object === null);
  if (present !== true) return CEL_NONE;
  const value = select(object, field);
  return value instanceof CelFault ? value : new CelOptional(value);
}

/** An index that a list can have: an int, or a uint or double that equals one. Undefined for anything else. */
function listIndex(key: CelValue): number | undefined {
  if (isInt(key)) return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  return key instanceof CelDouble && Number.isInteger(key.value) ? key.value : undefined;
}

function element(list: CelList, key: CelValue): CelValue | CelFault | undefined {
  const index = listIndex(key);
  if (index === undefined) return new CelFault(`no such overload: list[${typeName(key)}]: invalid_argument`);
  const value = list[index];
  return value === undefined ? undefined : adapt(value);
}

/** What an index finds; undefined if there is no such entry. */
function find(container: CelValue, key: CelValue): CelValue | CelFault | undefined {
  if (isList(container)) return element(container, key);
  if (!isMap(container)) return new CelFault(`no such overload: ${typeName(container)}[${typeName(key)}]`);
  const normal = mapKey(key);
  if (normal === undefined && !(key instanceof CelDouble)) {
    return new CelFault(`unsupported key type: ${typeName(key)}: no such key`);
  }
  const value = normal === undefined ? undefined : mapGet(container, normal);
  return value === undefined ? undefined : adapt(value);
}

function indexed(container: CelValue, key: CelValue): CelOutcome {
  if (container instanceof CelOptional) {
    return container.value === undefined ? CEL_NONE : optionalIndexed(container.value, key);
  }
  const value = find(container, key);
  if (value !== undefined) return value;
  return absence(isList(container) ? `index out of bounds: ${showKey(key)}` : `no such key: ${showKey(key)}`);
}

function optionalIndexed(container: CelValue, key: CelValue): CelOutcome {
  const value = find(container, key);
  if (value === undefined) return CEL_NONE;
  return value instanceof CelFault ? value : new CelOptional(value);
}

function showKey(key: CelValue): string {
  const normal = mapKey(key);
  return normal === undefined ? typeName(key) : String(normal).slice(0, 100);
}
