import { isJsonObject } from "@levelset/core";
import { requiredField } from "../../field-errors.ts";
import type { KindStrategy } from "../../strategy.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { immutableFieldErrors } from "./replicas.ts";

/** Strategy of ControllerRevisions: data is immutable. */
export const controllerRevisionStrategy: KindStrategy = {
  validate: function* (object, old) {
    yield* nonNegativeErrors("revision", unvalidatedField<number>(object, "revision"));
    const { data } = object;
    if (old !== undefined) yield* immutableFieldErrors("data", data, old["data"]);
    else if (data === undefined) yield requiredField("data", "data is mandatory");
    else if (!isJsonObject(data)) yield requiredField("data", "data must be a valid JSON object");
  },
};
