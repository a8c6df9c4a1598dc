import {
  CEL_BOOL,
  CEL_DURATION,
  CEL_DYN,
  CelDuration,
  celFunction,
  celMacroKey,
  celParameter,
  celToJson,
} from "@levelset/core/cel";
import { isJsonObject } from "@levelset/core";
import type { CelLibrary, CelMacro, CelValue, CelParameter } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { isFresh } from "../../resource/index.ts";
import type { ReportedCondition } from "../../resource/index.ts";
import { objectOrEmpty, objectsOf } from "../json-parts.ts";

const anything: CelParameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aDuration: CelParameter<CelDuration> = celParameter(CEL_DURATION, (value) => value instanceof CelDuration);

/**
 * A CEL function sees only its arguments: the macro `isFresh(statuses, resource, ttl)` adds `adapter` as the first
 * one.
 */
const withAdapter: CelMacro = ({ at, args }) => {
  return {
    kind: "call",
    at,
    name: "isFresh",
    target: undefined,
    args: [{ kind: "ident", at, name: "adapter" }, ...args],
  };
};

/**
 * `isFresh(statuses, resource, ttl)`: whether this adapter's last report for the latest generation of the resource is
 * Available=True and younger than `ttl`. `statuses` is the response of `GET …/statuses`. False during deletion and in
 * a run triggered by a change of an applied object, so that drift is fixed at once.
 */
export function freshFunction(now: () => number): CelLibrary {
  return {
    name: "fresh",
    macros: new Map([[celMacroKey("isFresh", 3, false), withAdapter]]),
    functions: [
      [
        "isFresh",
        [
          celFunction("adapter_is_fresh", {
            parameters: [anything, anything, anything, aDuration],
            result: CEL_BOOL,
            cost: "each",
            call: (adapter, statuses, resource, ttl) => {
              const { name = "", trigger } = objectOrEmpty(celToJson(adapter));
              if (trigger !== undefined) return false;
              const { generation, deleted_time: deleted } = objectOrEmpty(celToJson(resource));
              if (typeof generation !== "number") return false;
              return isFresh(lastReport(celToJson(statuses), name), {
                resource: { generation, ...(typeof deleted === "string" ? { deleted_time: deleted } : {}) },
                ttlMs: Number(ttl.nanos / 1_000_000n),
                now: now(),
              });
            },
          }),
        ],
      ],
    ],
  };
}

/** Returns the last report of an adapter from a page or list of statuses: its verdict, or later work in progress. */
function lastReport(statuses: JsonValue, adapter: JsonValue): Parameters<typeof isFresh>[0] {
  const items = objectsOf(isJsonObject(statuses) ? statuses["items"] : statuses);
  const status = items.find((item) => item["adapter"] === adapter);
  if (status === undefined) return undefined;
  const { progress } = status;
  return isJsonObject(progress)
    ? reportIn(progress, progress["observed_time"])
    : reportIn(status, status["last_report_time"]);
}

function reportIn(report: JsonObject, time: JsonValue | undefined): Parameters<typeof isFresh>[0] {
  const { observed_generation: generation, conditions } = report;
  if (typeof generation !== "number" || typeof time !== "string") return undefined;
  // Only types and statuses of the conditions are compared.
  const reported = objectsOf(conditions) as unknown as readonly ReportedCondition[];
  return { observed_generation: generation, observed_time: time, conditions: reported };
}
