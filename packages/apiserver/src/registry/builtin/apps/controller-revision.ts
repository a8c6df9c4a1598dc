import { isJsonObject } from "@levelset/core";
import { requiredField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { notNegative } from "../check.ts";
import { fieldOf } from "../loose.ts";
import { unchangedErrors } from "./replicas.ts";

/** ControllerRevisions: a number, and data that never changes. */
export const controllerRevisionRules: KindRules = {
  validate: function* (object, old) {
    yield* notNegative("revision", fieldOf<number>(object, "revision"));
    const { data } = object;
    if (old !== undefined) yield* unchangedErrors("data", data, old["data"]);
    else if (data === undefined) yield requiredField("data", "data is mandatory");
    else if (!isJsonObject(data)) yield requiredField("data", "data must be a valid JSON object");
  },
};
