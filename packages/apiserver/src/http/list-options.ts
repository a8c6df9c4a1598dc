import type { FieldError } from "@levelset/core";
import { flag, integer, refuse } from "./query.ts";

/** What a list or watch asks for about versions, checked as a whole. */
export interface ListOptions {
  readonly match: "" | "Exact" | "NotOlderThan";
  /** 0: no limit. */
  readonly limit: number;
  /** Undefined: the server decides. */
  readonly timeoutSeconds: number | undefined;
  /** Whether a watch first shows what is there. */
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
}

/** Reads the parameters of a list or watch. Throws BadRequest for a value, Invalid for a combination that makes no sense. */
export function listOptionsOf(query: URLSearchParams, isWatch: boolean): ListOptions {
  const [limit, timeoutSeconds] = [integer(query, "limit") ?? 0, integer(query, "timeoutSeconds")];
  const given = { version: query.get("resourceVersion") ?? "", match: query.get("resourceVersionMatch") ?? "" };
  const sendInitialEvents = flag(query, "sendInitialEvents");
  // As before there was a parameter for it: without a version, a watch starts with what is there.
  const isOlder = isWatch && sendInitialEvents === undefined && given.match === "" && /^0?$/u.test(given.version);
  const asked: Asked = {
    version: given.version,
    match: isOlder ? "NotOlderThan" : given.match,
    isContinued: (query.get("continue") ?? "") !== "",
    sendInitialEvents: isOlder ? true : sendInitialEvents,
  };
  refuse("ListOptions", isWatch ? watchErrors(asked) : listErrors(asked));
  return {
    match: asked.match === "Exact" || asked.match === "NotOlderThan" ? asked.match : "",
    limit: Math.max(limit, 0),
    timeoutSeconds,
    sendInitialEvents,
    allowWatchBookmarks: flag(query, "allowWatchBookmarks") === true,
  };
}

interface Asked {
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

function listErrors({ version, match, isContinued, sendInitialEvents }: Asked): readonly FieldError[] {
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

function watchErrors({ match, isContinued, sendInitialEvents }: Asked): readonly FieldError[] {
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
