import {
  CEL_STRING,
  CEL_DYN,
  CEL_TIMESTAMP,
  celEnvironment,
  celFunction,
  CelError,
  celLibraries,
  celMacroKey,
  celParameter,
  CelTimestamp,
  mapType,
} from "@levelset/core/cel";
import { isJsonObject } from "@levelset/core";
import type {
  CelBindings,
  CelEnvironment,
  CelLibrary,
  CelMacro,
  CelType,
  CelValue,
  CelParameter,
} from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { FLEET_READINESS } from "../../resource/index.ts";

/** Input of a Sentinel's expressions: a resource as the API shows it, and the time in milliseconds. */
export interface PulseSubject {
  readonly resource: JsonObject;
  readonly now: number;
}

/** Cost limit of one expression. */
export const EXPRESSION_COST_LIMIT = 100_000;

/** Built-in variables of expressions. */
export const BUILTIN_VARIABLES: readonly string[] = ["resource", "now"];

/** Result of `condition(type)` for a missing condition. */
const NO_CONDITION: JsonObject = {
  type: "",
  status: "",
  reason: "",
  message: "",
  observed_generation: 0,
  created_time: "",
  last_updated_time: "",
  last_transition_time: "",
};

const anything: CelParameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aText: CelParameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");
const CONDITION_TYPE: CelType = mapType(CEL_STRING, CEL_DYN);

/** CEL functions see only explicit arguments: the macro expands `condition(type)` to `condition(resource, type)`. */
const withResource: CelMacro = ({ at, args }) => {
  return {
    kind: "call",
    at,
    name: "condition",
    target: undefined,
    args: [{ kind: "ident", at, name: "resource" }, ...args],
  };
};

const CONDITIONS: CelLibrary = {
  name: "sentinel",
  macros: new Map([[celMacroKey("condition", 1, false), withResource]]),
  functions: [
    [
      "condition",
      [
        celFunction("sentinel_condition", {
          parameters: [anything, aText],
          result: CONDITION_TYPE,
          cost: "each",
          call: (resource, type) => conditionIn(resource, type),
        }),
      ],
    ],
  ],
};

function conditionIn(resource: CelValue, type: string): JsonObject {
  const status = isJsonObject(resource) ? resource["status"] : undefined;
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  const all: readonly JsonValue[] = Array.isArray(conditions) ? conditions : [];
  const found = all.find((condition) => isJsonObject(condition) && condition["type"] === type);
  return isJsonObject(found) ? { ...NO_CONDITION, ...found } : NO_CONDITION;
}

/**
 * Environment of expressions: `resource`, `now`, `condition(type)`, `isCurrent`, `readiness`, string functions, and
 * these variables.
 */
export function pulseCelEnvironment(variables: ReadonlyMap<string, CelType> = new Map()): CelEnvironment {
  return celEnvironment({
    variables: new Map([["resource", mapType(CEL_STRING, CEL_DYN)], ["now", CEL_TIMESTAMP], ...variables]),
    libraries: [celLibraries.strings, celLibraries.optionals, CONDITIONS, FLEET_READINESS],
  });
}

/** Returns the values of the built-in variables. */
export function pulseCelBindings({ resource, now }: PulseSubject): CelBindings {
  const time = CelTimestamp.ofNanos(BigInt(now) * 1_000_000n);
  if (time instanceof CelError) throw new RangeError(`${now} is not a valid time for now`);
  return { resource, now: time };
}
