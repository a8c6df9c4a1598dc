import { InputError, isNotFound, StatusError, toError, TransportError } from "@levelset/core";
import { FleetProblem } from "@levelset/fleet/client";
import { innermost } from "@levelset/operator";
import type { Problem, SourceName } from "../api/index.ts";
import { Overtaken } from "./overtaken.ts";

/** What a failure means for whoever looks, and what to do about it. */
export function problemOf(thrown: unknown, source: SourceName, about = ""): Problem {
  return { source, about, ...wordsOf(thrown, source) };
}

function wordsOf(thrown: unknown, source: SourceName): Omit<Problem, "source" | "about"> {
  const error = toError(thrown);
  if (error instanceof Overtaken) {
    const hint = "what you wrote is still here: take over what the other changed, or write yours over it";
    return { reason: "conflict", message: error.message, hint, now: { yaml: error.now, diff: error.diff } };
  }
  if (error instanceof InputError) return { reason: "refused", message: error.message, hint: error.hint ?? "" };
  if (error instanceof FleetProblem) return ofFleet(error);
  if (error instanceof TransportError) {
    const message = `the ${source} does not answer: ${innermost(error).message}`;
    return { reason: "unreachable", message, hint: "it is tried again until it does" };
  }
  if (!(error instanceof StatusError)) return { reason: "failed", message: error.message, hint: "" };
  if (isNotFound(error)) return { reason: "missing", message: error.message, hint: "" };
  switch (error.reason) {
    case "Unauthorized":
      return {
        reason: "unauthorized",
        message: "the cluster does not accept the credentials of the console",
        hint: "they may have expired: log in again; the console goes on by itself, or start it anew",
      };
    case "Forbidden":
      return { reason: "forbidden", message: error.message, hint: "ask for the right to get, list and watch it" };
    case "Conflict":
      return { reason: "refused", message: error.message, hint: "it has changed since it was read: look again" };
    default:
      return {
        reason: error.code < 500 ? "refused" : "failed",
        message: error.message,
        hint: "",
        ...fieldsOf(error.details?.causes ?? []),
      };
  }
}

function fieldsOf(causes: readonly { readonly field?: string; readonly message?: string }[]): Pick<Problem, "fields"> {
  const fields = causes.flatMap(({ field = "", message = "" }) => (field === "" ? [] : [{ field, message }]));
  return fields.length === 0 ? {} : { fields };
}

function ofFleet(problem: FleetProblem): Omit<Problem, "source" | "about"> {
  const { message } = problem;
  switch (problem.kind) {
    case "unauthenticated":
      return {
        reason: "unauthorized",
        message,
        hint: "put a new token into the file of --fleet-token-file: it is read again by itself",
      };
    case "forbidden":
      return { reason: "forbidden", message, hint: "ask for the right to read it" };
    case "notFound":
      return { reason: "missing", message, hint: "" };
    case "invalid":
      return { reason: "refused", message, hint: "", ...fieldsOf(problem.errors) };
    case "conflict":
    case "stale":
      return { reason: "refused", message, hint: "" };
    default:
      return { reason: "failed", message, hint: "" };
  }
}
