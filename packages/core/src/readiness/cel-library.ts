import { CEL_BOOL, CEL_DYN, CEL_STRING, CelError, celFunction, celParameter, celToJson } from "../cel/index.ts";
import type { CelLibrary, CelValue, CelParameter } from "../cel/index.ts";
import type { JsonValue } from "../json/index.ts";
import { generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { readinessOf } from "./readiness-of.ts";
import { asRecord, stringField } from "../readiness-rule/index.ts";
import type { Readiness } from "../readiness-rule/index.ts";

const objectParameter: CelParameter<CelValue> = celParameter(
  CEL_DYN,
  (value): value is CelValue => value !== undefined,
);
const stringParameter: CelParameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");

/** The state names that expressions compare with, as shown to people. */
const STATE_NAMES: Readonly<Record<Readiness["kind"], string>> = {
  ready: "Ready",
  progressing: "Progressing",
  failed: "Failed",
  deleting: "Deleting",
};

/**
 * CEL functions about objects. `isCurrent(object)`: whether the status covers the latest generation; with a second
 * argument, whether the condition of that type does. False if the status has no generation. `readiness(object)`:
 * `Ready`, `Progressing`, `Failed` or `Deleting`, as computed by `readinessOf`.
 *
 * `read` returns the object that a CEL value represents, or undefined. `expected` is the error message for values that
 * `read` rejects.
 */
export function readinessFunctions(read: (value: JsonValue) => KubeObject | undefined, expected: string): CelLibrary {
  const isCurrent = (value: CelValue, condition?: string): boolean | CelError => {
    const object = read(celToJson(value));
    if (object === undefined) return new CelError(`isCurrent: ${expected}`);
    return generationState(object, undefined, condition) === "current";
  };
  const readiness = (value: CelValue): string | CelError => {
    const object = read(celToJson(value));
    return object === undefined ? new CelError(`readiness: ${expected}`) : STATE_NAMES[readinessOf(object).kind];
  };
  return {
    name: "readiness",
    functions: [
      [
        "isCurrent",
        [
          celFunction("readiness_is_current", { parameters: [objectParameter], result: CEL_BOOL, call: isCurrent }),
          celFunction("readiness_is_current_condition", {
            parameters: [objectParameter, stringParameter],
            result: CEL_BOOL,
            call: isCurrent,
          }),
        ],
      ],
      [
        "readiness",
        [celFunction("readiness_of_object", { parameters: [objectParameter], result: CEL_STRING, call: readiness })],
      ],
    ],
  };
}

/** Returns the value as an object if it has a kind and a name, else undefined. */
export function readKubeObject(value: JsonValue): KubeObject | undefined {
  const object = asRecord(value);
  const isNamed = stringField(object, "kind") !== "" && stringField(asRecord(object["metadata"]), "name") !== "";
  // The readiness functions accept any type in all other fields.
  return isNamed ? ({ apiVersion: "", ...object } as unknown as KubeObject) : undefined;
}

/** `readinessFunctions` for Kubernetes objects. */
export const READINESS_FUNCTIONS: CelLibrary = readinessFunctions(
  readKubeObject,
  "not a Kubernetes object: kind or metadata.name is missing",
);
