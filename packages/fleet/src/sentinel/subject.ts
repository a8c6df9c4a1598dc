import {
  CEL_STRING,
  CEL_DYN,
  CEL_TIMESTAMP,
  celEnvironment,
  celFunction,
  CelFault,
  celLibraries,
  celMacroKey,
  celParameter,
  CelTimestamp,
  isJsonObject,
  mapType,
} from "@levelset/core";
import type {
  CelBindings,
  CelEnvironment,
  CelLibrary,
  CelMacro,
  CelType,
  CelValue,
  JsonObject,
  JsonValue,
  Parameter,
} from "@levelset/core";
import { FLEET_READINESS } from "../resource/index.ts";

/** What a Sentinel's expressions are about: a resource as the API shows it, at a moment in milliseconds. */
export interface Subject {
  readonly resource: JsonObject;
  readonly now: number;
}

/** What an evaluation of one expression may cost. */
export const EXPRESSION_COST_LIMIT = 100_000;

/** The names that expressions have without declaring them. */
export const GIVEN_NAMES: readonly string[] = ["resource", "now"];

/** What `condition(type)` gives for a type that the resource does not have. */
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

const anything: Parameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aText: Parameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");
const CONDITION_TYPE: CelType = mapType(CEL_STRING, CEL_DYN);

/** A function sees nothing but its arguments: `condition(type)` stands for `condition(resource, type)`. */
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

/** What expressions are compiled against: `resource`, `now`, `condition(type)`, `isCurrent`, `readiness`, functions of texts, and these variables. */
export function subjectEnvironment(variables: ReadonlyMap<string, CelType> = new Map()): CelEnvironment {
  return celEnvironment({
    variables: new Map([["resource", mapType(CEL_STRING, CEL_DYN)], ["now", CEL_TIMESTAMP], ...variables]),
    libraries: [celLibraries.strings, celLibraries.optionals, CONDITIONS, FLEET_READINESS],
  });
}

/** The values of the names that every expression has. */
export function subjectBindings({ resource, now }: Subject): CelBindings {
  const time = CelTimestamp.ofNanos(BigInt(now) * 1_000_000n);
  if (time instanceof CelFault) throw new RangeError(`${now} is no moment that expressions could have as now`);
  return { resource, now: time };
}
