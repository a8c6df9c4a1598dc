import { isJsonObject } from "@levelset/core";
import type { JsonValue, StatusReason } from "@levelset/core";
import type { PlannedFault, RequestFault, RequestTarget, WatchFault } from "../fault/index.ts";
import type { ChangeKind, ChildEdit, Operation } from "../history/index.ts";
import type { Case } from "../run/index.ts";
import { checkBy, checkFields, checkList, checkTagged, checkText, checkWord, optional } from "./field-check.ts";
import type { Check } from "./field-check.ts";

/** The checks of all fields of a union: word of its tag → field → check. */
type Shapes<Union, Tag extends keyof Union, Common extends string = never> = {
  readonly [Word in Union[Tag] & string]: Readonly<
    Record<Exclude<keyof Extract<Union, { readonly [Key in Tag]: Word }> & string, Tag | Common>, Check>
  >;
};

/** The longest time in a case. Drawn ones take up to 25 hours, and every hour costs work if an operator polls. */
const TIME_MAX_MS = 30 * 86_400_000;

const isNumber = (value: JsonValue | undefined, min: number, max: number): boolean =>
  typeof value === "number" && value >= min && value <= max;

const checkTime = checkBy(`a time from 0 to ${TIME_MAX_MS} ms`, (value) => isNumber(value, 0, TIME_MAX_MS));
const checkStep = checkBy(`a time from -${TIME_MAX_MS} to ${TIME_MAX_MS} ms`, (value) =>
  isNumber(value, -TIME_MAX_MS, TIME_MAX_MS),
);
const checkSeconds = checkBy(`a time from 0 to ${TIME_MAX_MS / 1000} s`, (value) =>
  isNumber(value, 0, TIME_MAX_MS / 1000),
);
const checkCount = checkBy("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const checkShare = checkBy("a number from 0 to 1", (value) => isNumber(value, 0, 1));
const checkObject = checkBy("an object", isJsonObject);
const checkId = checkFields({
  apiVersion: checkText,
  kind: checkText,
  namespace: optional(checkText),
  name: checkText,
});
const checkManifest = checkFields({
  apiVersion: checkText,
  kind: checkText,
  metadata: checkFields({ namespace: optional(checkText), name: checkText }),
});

const CHANGES: Readonly<Record<ChangeKind, true>> = {
  valid: true,
  boundary: true,
  invalid: true,
  removed: true,
  restored: true,
  changed: true,
  version: true,
};
const EDITS: Readonly<Record<ChildEdit, true>> = { annotate: true, "change-field": true };
const TARGETS: Readonly<Record<RequestTarget, true>> = { write: true, read: true, lease: true };
const EXTERNAL_FAULTS = { refused: true, "response-lost": true } as const;
const REASONS: Readonly<Record<StatusReason, true>> = {
  BadRequest: true,
  Unauthorized: true,
  Forbidden: true,
  NotFound: true,
  MethodNotAllowed: true,
  NotAcceptable: true,
  AlreadyExists: true,
  Conflict: true,
  Gone: true,
  Expired: true,
  Invalid: true,
  RequestEntityTooLarge: true,
  UnsupportedMediaType: true,
  TooManyRequests: true,
  InternalError: true,
  ServiceUnavailable: true,
  ServerTimeout: true,
  Timeout: true,
  Unknown: true,
};

const OPERATIONS: Shapes<Operation, "do", "afterMs"> = {
  create: { object: checkManifest, path: optional(checkText) },
  "create-foreign": { object: checkManifest },
  change: { object: checkManifest, how: checkWord(CHANGES), path: optional(checkText) },
  delete: { id: checkId },
  "delete-child": { pick: checkShare, target: optional(checkId) },
  "edit-child": {
    pick: checkShare,
    edit: checkWord(EDITS),
    target: optional(checkId),
    patch: optional(checkObject),
  },
  "lose-pods": {},
  restart: {},
  downtime: { ms: checkTime },
  "step-clock": { ms: checkStep },
  "pass-time": {},
};

const REQUEST_FAULTS: Shapes<RequestFault, "kind"> = {
  refused: {},
  "response-lost": {},
  duplicate: {},
  hang: {},
  status: { reason: checkWord(REASONS), retryAfterSeconds: optional(checkSeconds) },
  delay: { ms: checkTime },
};

const WATCH_FAULTS: Shapes<WatchFault, "kind"> = {
  cut: {},
  duplicate: {},
  expired: {},
  delay: { ms: checkTime },
};

const FAULTS: Shapes<PlannedFault, "kind", "at"> = {
  crash: { nth: checkCount, downMs: checkTime },
  request: { nth: checkCount, on: optional(checkWord(TARGETS)), fault: checkTagged("kind", REQUEST_FAULTS) },
  watch: { nth: checkCount, fault: checkTagged("kind", WATCH_FAULTS) },
  "cut-watches": {},
  "freeze-watches": {},
  "cache-lag": { ms: checkTime },
  "stale-restart": { back: checkCount },
  "leader-change": { stallMs: optional(checkTime) },
  outage: { ms: checkTime },
  external: { fault: checkWord(EXTERNAL_FAULTS) },
};

const checkCase = checkFields({
  seed: checkCount,
  history: checkFields({ operations: checkList(checkTagged("do", OPERATIONS, { afterMs: checkTime })) }),
  faults: checkList(checkTagged("kind", FAULTS, { at: checkCount })),
});

/** Reads a recorded case. Returns the first field that is not valid, and what is wrong with it. */
export function readCase(value: JsonValue | undefined): Case | string {
  return checkCase(value, "case") ?? (value as unknown as Case); // checked above
}
