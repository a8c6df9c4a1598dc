import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FaultKind, PlannedFault } from "../fault/index.ts";
import type { Operation } from "../history/index.ts";
import type { Case } from "../run/index.ts";

type Check = (value: JsonValue | undefined) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isTime: Check = (value) => typeof value === "number" && value >= 0;
const isStep: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isShare: Check = (value) => typeof value === "number" && value >= 0 && value <= 1;
const isEffect: Check = (value) => isJsonObject(value) && isText(value["kind"]);
const isTarget: Check = (value) => value === "write" || value === "read" || value === "lease";
const isExternalFault: Check = (value) => value === "refused" || value === "response-lost";
const isId: Check = (value) =>
  isJsonObject(value) && isText(value["apiVersion"]) && isText(value["kind"]) && isText(value["name"]);
const isManifest: Check = (value) =>
  isJsonObject(value) &&
  isText(value["apiVersion"]) &&
  isText(value["kind"]) &&
  isJsonObject(value["metadata"]) &&
  isText(value["metadata"]["name"]);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** Fields of each action. */
const OPERATIONS: Readonly<Record<Operation["do"], Fields>> = {
  create: { object: isManifest },
  "create-foreign": { object: isManifest },
  change: { object: isManifest, how: isText },
  delete: { id: isId },
  "delete-child": { pick: isShare, target: optional(isId) },
  "edit-child": { pick: isShare, edit: isText, target: optional(isId), patch: optional(isJsonObject) },
  "lose-pods": {},
  restart: {},
  downtime: { ms: isTime },
  "step-clock": { ms: isStep },
  "pass-time": {},
};

/** Fields of each fault. */
const FAULTS: Readonly<Record<FaultKind, Fields>> = {
  crash: { nth: isCount, downMs: isTime },
  request: { nth: isCount, on: optional(isTarget), fault: isEffect },
  watch: { nth: isCount, fault: isEffect },
  "cut-watches": {},
  "freeze-watches": {},
  "cache-lag": { ms: isTime },
  "stale-restart": { back: isCount },
  "leader-change": { stallMs: optional(isTime) },
  outage: { ms: isTime },
  external: { fault: isExternalFault },
};

/** Reads a recorded case. Returns what is wrong with it if it is none. */
export function readCase(value: JsonValue | undefined): Case | string {
  if (!isJsonObject(value)) return "case: not an object";
  const { history, faults, seed } = value;
  if (!isCount(seed)) return "case.seed: not a number";
  const operations = isJsonObject(history) ? history["operations"] : undefined;
  if (!Array.isArray(operations)) return "case.history.operations: not a list";
  if (!Array.isArray(faults)) return "case.faults: not a list";
  const problems = [
    ...operations.map((each, index) =>
      problemOf(each, `case.history.operations[${index}]`, "do", OPERATIONS, { afterMs: isTime }),
    ),
    ...faults.map((each, index) => problemOf(each, `case.faults[${index}]`, "kind", FAULTS, { at: isCount })),
  ];
  return (
    problems.find((problem) => problem !== undefined) ?? {
      history: { operations: operations as readonly (JsonValue & Operation)[] }, // checked above
      faults: faults as readonly (JsonValue & PlannedFault)[], // checked above
      seed: Number(seed),
    }
  );
}

/** Returns the first field of an item that is missing or wrong. */
function problemOf(
  item: JsonValue,
  path: string,
  tag: "do" | "kind",
  shapes: Readonly<Record<string, Fields>>,
  common: Fields,
): string | undefined {
  if (!isJsonObject(item)) return `${path}: not an object`;
  const object: JsonObject = item;
  const name = object[tag];
  const fields = typeof name === "string" && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  if (fields === undefined) return `${path}.${tag}: unknown value ${JSON.stringify(name) ?? "undefined"}`;
  const wrong = Object.entries({ ...fields, ...common }).find(([field, check]) => !check(object[field]));
  return wrong === undefined ? undefined : `${path}.${wrong[0]}: missing or not valid`;
}
