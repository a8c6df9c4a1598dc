import { CEL_BOOL, CEL_DYN, CEL_STRING, CelFault, celFunction, celParameter, celToJson } from "../cel/index.ts";
import type { CelLibrary, CelValue, Parameter } from "../cel/index.ts";
import type { JsonValue } from "../json/index.ts";
import { generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { readinessOf } from "./of-object.ts";
import { loose, text } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

const anObject: Parameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aText: Parameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");

/** The words that expressions compare with: those that are shown to people. */
const WORDS: Readonly<Record<Readiness["kind"], string>> = {
  ready: "Ready",
  progressing: "Progressing",
  failed: "Failed",
  deleting: "Deleting",
};

/**
 * Functions of expressions about objects. `isCurrent(object)`: whether the status is about the latest generation; with a
 * second argument, whether the condition of that type is. False where the status does not say. `readiness(object)`: `Ready`,
 * `Progressing`, `Failed` or `Deleting`, as `readinessOf` judges.
 *
 * `read` returns the object that a value stands for, or undefined; `expected` names in errors what the value must be.
 */
export function readinessFunctions(read: (value: JsonValue) => KubeObject | undefined, expected: string): CelLibrary {
  const isCurrent = (value: CelValue, condition?: string): boolean | CelFault => {
    const object = read(celToJson(value));
    if (object === undefined) return new CelFault(`isCurrent: ${expected}`);
    return generationState(object, undefined, condition) === "current";
  };
  const readiness = (value: CelValue): string | CelFault => {
    const object = read(celToJson(value));
    return object === undefined ? new CelFault(`readiness: ${expected}`) : WORDS[readinessOf(object).kind];
  };
  return {
    name: "readiness",
    functions: [
      [
        "isCurrent",
        [
          celFunction("readiness_is_current", { parameters: [anObject], result: CEL_BOOL, call: isCurrent }),
          celFunction("readiness_is_current_condition", {
            parameters: [anObject, aText],
            result: CEL_BOOL,
            call: isCurrent,
          }),
        ],
      ],
      [
        "readiness",
        [celFunction("readiness_of_object", { parameters: [anObject], result: CEL_STRING, call: readiness })],
      ],
    ],
  };
}

/** The object that a value is, if it has a kind and a name; undefined otherwise. */
export function readKubeObject(value: JsonValue): KubeObject | undefined {
  const object = loose(value);
  const isNamed = text(object, "kind") !== "" && text(loose(object["metadata"]), "name") !== "";
  // What follows reads every other field as one of any type.
  return isNamed ? ({ apiVersion: "", ...object } as unknown as KubeObject) : undefined;
}

/** `readinessFunctions` for Kubernetes objects. */
export const READINESS_FUNCTIONS: CelLibrary = readinessFunctions(
  readKubeObject,
  "not a Kubernetes object: it has no kind or metadata.name",
);
