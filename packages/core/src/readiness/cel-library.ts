import { CEL_BOOL, CEL_DYN, CEL_STRING, CelFault, celFunction, celParameter, celToJson } from "../cel/index.ts";
import type { CelLibrary, CelValue, Parameter } from "../cel/index.ts";
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
 * Functions of expressions about Kubernetes objects. `isCurrent(object)`: whether the status is about the latest generation; with a
 * second argument, whether the condition of that type is. False where the status does not say. `readiness(object)`: `Ready`,
 * `Progressing`, `Failed` or `Deleting`, as `readinessOf` judges.
 */
export const READINESS_FUNCTIONS: CelLibrary = {
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

function isCurrent(value: CelValue, condition?: string): boolean | CelFault {
  const object = kubeObject(value);
  if (object === undefined) return new CelFault("isCurrent: not a Kubernetes object: it has no kind or metadata.name");
  return generationState(object, undefined, condition) === "current";
}

function readiness(value: CelValue): string | CelFault {
  const object = kubeObject(value);
  if (object === undefined) return new CelFault("readiness: not a Kubernetes object: it has no kind or metadata.name");
  return WORDS[readinessOf(object).kind];
}

function kubeObject(value: CelValue): KubeObject | undefined {
  const object = loose(celToJson(value));
  const isNamed = text(object, "kind") !== "" && text(loose(object["metadata"]), "name") !== "";
  // What follows reads every other field as one of any type.
  return isNamed ? ({ apiVersion: "", ...object } as unknown as KubeObject) : undefined;
}
