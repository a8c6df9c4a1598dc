import { CEL_DYN, CEL_STRING, CelError, celFunction, celParameter, celToJson } from "@levelset/core/cel";
import { isJsonObject } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { CelLibrary, CelValue, CostTracker, CelParameter } from "@levelset/core/cel";
import type { JsonValue } from "@levelset/core";

/** Maximum length of the result of `toJson`. */
const TO_JSON_MAX = 1_000_000;

const anything: CelParameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aText: CelParameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");

/** Functions of rules and adapters: `toJson(x)`, and `dig(x, "a.0.b")`, which is null if the path does not exist. */
export const RULE_FUNCTIONS: CelLibrary = {
  name: "fleet",
  functions: [
    ["toJson", [celFunction("fleet_to_json", { parameters: [anything], result: CEL_STRING, metered: toJson })]],
    ["dig", [celFunction("fleet_dig", { parameters: [anything, aText], result: CEL_DYN, metered: dig })]],
  ],
};

function toJson(meter: CostTracker, value: CelValue): string | CelError {
  const text = stringifyJson(celToJson(value));
  if (text.length > TO_JSON_MAX) return new CelError(`toJson: the text is longer than ${TO_JSON_MAX} characters`);
  // Costs a tenth of the characters, like other functions that produce strings.
  meter.spend(1 + text.length / 10);
  return text;
}

function dig(meter: CostTracker, value: CelValue, path: string): CelValue {
  let found: JsonValue | undefined = celToJson(value);
  for (const step of path.split(".")) {
    meter.spend(1);
    found = memberOf(found, step);
    if (found === undefined) return null;
  }
  return found;
}

function memberOf(value: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return /^\d+$/.test(step) ? items[Number(step)] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
