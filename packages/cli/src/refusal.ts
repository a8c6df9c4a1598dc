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
    return new InputError(`rights are missing: ${error.message}`, { hint: hintAbout(error, about.file), cause: error });
  }
  return error;
}

function hintAbout({ message }: StatusError, file: string | undefined): string {
  if (file === undefined) return "ask for them, or choose another --context";
  const roles = `levelset manifests ${file} prints the roles that it needs`;
  // They are about one Lease, and it may be another that was asked for.
  if (message.startsWith("leases."))
    return `${roles}; --leader-elect-name and --leader-elect-namespace say which Lease`;
  return `${roles}; --namespaces makes do with less`;
}
