import type { FieldError } from "@levelset/core/schema";
import { booleanParam, integerParam, throwInvalidParams } from "./query-params.ts";

/** Validated options of a list or watch. */
export interface ListOptions {
  readonly match: "" | "Exact" | "NotOlderThan";
  /** 0 means unlimited. */
  readonly limit: number;
  /** Undefined: chosen by the server. */
  readonly timeoutSeconds: number | undefined;
  /** Whether a watch starts with the current objects (KEP-3157). */
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
}

/**
 * Parses the parameters of a list or watch. Throws BadRequest for an invalid value and Invalid for an invalid
 * combination.
 */
export function parseListOptions(query: URLSearchParams, isWatch: boolean): ListOptions {
  const [limit, timeoutSeconds] = [integerParam(query, "limit") ?? 0, integerParam(query, "timeoutSeconds")];
  const raw = { version: query.get("resourceVersion") ?? "", match: query.get("resourceVersionMatch") ?? "" };
  const sendInitialEvents = booleanParam(query, "sendInitialEvents");
  // A watch without sendInitialEvents and without a version starts with the current objects (docs: API Concepts, watch
  // semantics).
  const isOlder = isWatch && sendInitialEvents === undefined && raw.match === "" && /^0?$/u.test(raw.version);
  const requested: VersionOptions = {
    version: raw.version,
    match: isOlder ? "NotOlderThan" : raw.match,
    isContinued: (query.get("continue") ?? "") !== "",
    sendInitialEvents: isOlder ? true : sendInitialEvents,
  };
  throwInvalidParams("ListOptions", isWatch ? watchErrors(requested) : listErrors(requested));
  return {
    match: requested.match === "Exact" || requested.match === "NotOlderThan" ? requested.match : "",
    limit: Math.max(limit, 0),
    timeoutSeconds,
    sendInitialEvents,
    allowWatchBookmarks: booleanParam(query, "allowWatchBookmarks") === true,
  };
}

interface VersionOptions {
  readonly version: string;
  readonly match: string;
  readonly isContinued: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const MATCH = "resourceVersionMatch";

function forbidden(field: string, why: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: `Forbidden: ${why}` };
}

function unsupported(match: string, supported: readonly string[]): FieldError {
  const listed = supported.map((text) => JSON.stringify(text)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: ${listed}`;
  return { reason: "FieldValueNotSupported", field: MATCH, message };
}

const CONTINUED: FieldError = forbidden(MATCH, `${MATCH} is forbidden when continue is provided`);

function listErrors({ version, match, isContinued, sendInitialEvents }: VersionOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (match !== "") {
    if (version === "") errors.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    if (isContinued) errors.push(CONTINUED);
    if (match !== "Exact" && match !== "NotOlderThan") errors.push(unsupported(match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && version === "0") {
      errors.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function watchErrors({ match, isContinued, sendInitialEvents }: VersionOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match === "") return errors;
  if (sendInitialEvents === undefined) {
    errors.push(forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`));
  }
  if (match !== "NotOlderThan") errors.push(unsupported(match, ["NotOlderThan"]));
  if (isContinued) errors.push(CONTINUED);
  return errors;
}
