import { InputError, isNotFound, StatusError, TransportError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import { FleetApiError } from "@levelset/fleet/client";
import { rootCause } from "@levelset/operator/internal";
import type { Problem, SourceName } from "../api/index.ts";
import { EditConflictError } from "./edit-conflict-error.ts";

/** Converts an error to a problem with a hint. */
export function problemOf(thrown: unknown, source: SourceName, about = ""): Problem {
  return { source, about, ...detailsOf(thrown, source) };
}

function detailsOf(thrown: unknown, source: SourceName): Omit<Problem, "source" | "about"> {
  const error = toError(thrown);
  if (error instanceof EditConflictError) {
    const hint = "your text is unchanged: merge the other change into it, or overwrite";
    return { reason: "conflict", message: error.message, hint, current: { yaml: error.current, diff: error.diff } };
  }
  if (error instanceof InputError) return { reason: "refused", message: error.message, hint: error.hint ?? "" };
  if (error instanceof FleetApiError) return ofFleet(error);
  if (error instanceof TransportError) {
    const message = `cannot reach the ${source}: ${rootCause(error).message}`;
    return { reason: "unreachable", message, hint: "the console retries automatically" };
  }
  if (!(error instanceof StatusError)) return { reason: "failed", message: error.message, hint: "" };
  if (isNotFound(error)) return { reason: "missing", message: error.message, hint: "" };
  switch (error.reason) {
    case "Unauthorized":
      return {
        reason: "unauthorized",
        message: "the cluster rejected the credentials of the console",
        hint: "log in again if they have expired; the console reconnects automatically",
      };
    case "Forbidden":
      return {
        reason: "forbidden",
        message: error.message,
        hint: "ask a cluster administrator for permission to get, list and watch it",
      };
    case "Conflict":
      return { reason: "refused", message: error.message, hint: "the object was changed since it was read: try again" };
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

function ofFleet(problem: FleetApiError): Omit<Problem, "source" | "about"> {
  const { message } = problem;
  switch (problem.kind) {
    case "unauthenticated":
      return {
        reason: "unauthorized",
        message,
        hint: "write a new token to the file of --fleet-token-file; it is read for each request",
      };
    case "forbidden":
      return { reason: "forbidden", message, hint: "ask for permission to read it" };
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
