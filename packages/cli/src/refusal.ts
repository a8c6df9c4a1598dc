import { InputError, StatusError } from "@levelset/core";

/** What a person must know who was refused by a cluster: whose credentials or rights fell short, and what to do. Other errors stay as they are. */
export function explainRefusal(error: unknown, about: { readonly context: string; readonly file?: string }): unknown {
  if (!(error instanceof StatusError)) return error;
  if (error.reason === "Unauthorized") {
    return new InputError(`the cluster does not accept the credentials of the context ${about.context}`, {
      hint: "they may have expired: log in again, or choose another --context",
      cause: error,
    });
  }
  if (error.reason === "Forbidden") {
    return new InputError(`rights are missing: ${error.message}`, {
      hint:
        about.file === undefined
          ? "ask for them, or choose another --context"
          : `levelset manifests ${about.file} prints the roles that it needs; --namespaces makes do with less`,
      cause: error,
    });
  }
  return error;
}
