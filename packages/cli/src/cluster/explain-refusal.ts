import { InputError, StatusError } from "@levelset/core";

/** Converts Unauthorized and Forbidden errors to InputErrors with hints. Returns other errors unchanged. */
export function explainRefusal(error: unknown, about: { readonly context: string; readonly file?: string }): unknown {
  if (!(error instanceof StatusError)) return error;
  if (error.reason === "Unauthorized") {
    return new InputError(`the cluster rejected the credentials of the context ${about.context}`, {
      hint: "log in again if they have expired, or pass another --context",
      cause: error,
    });
  }
  if (error.reason === "Forbidden") {
    return new InputError(`missing permissions: ${error.message}`, {
      hint: hintAbout(error, about.file),
      cause: error,
    });
  }
  return error;
}

function hintAbout({ details }: StatusError, file: string | undefined): string {
  if (file === undefined) return "ask a cluster administrator for them, or pass another --context";
  const roles = `run levelset manifests ${file} to print the required roles`;
  // The generated role allows one Lease; the flags may have selected another one.
  if (details?.kind === "leases") return `${roles}; --leader-elect-name and --leader-elect-namespace select the Lease`;
  return `${roles}; --namespaces needs fewer permissions`;
}
