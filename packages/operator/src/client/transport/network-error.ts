import { isAbortError, TransportError } from "@levelset/core";
import { toError } from "@levelset/core/internal";

/** Explanations of network and TLS error codes. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused; check that the cluster is running",
  ENOTFOUND: "unknown host name; check the server address in the kubeconfig",
  EAI_AGAIN: "DNS lookup failed; check the network",
  ETIMEDOUT: "connection timed out; check the network and the server address",
  CERT_HAS_EXPIRED: "the server's certificate has expired; renew it",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed; check certificate-authority in the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN:
    "the server's certificate is signed by an unknown authority; check certificate-authority in the kubeconfig",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the server's certificate is signed by an unknown authority; check certificate-authority in the kubeconfig",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the server's certificate is signed by an unknown authority; check certificate-authority in the kubeconfig",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name; check the address or tls-server-name",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "our client certificate has expired; have a new one issued",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not trust the authority of our client certificate",
};

/** Converts a network error to a `TransportError` with an explanation; returns unknown errors and aborts unchanged. */
export function describeNetworkError(error: unknown, server: string): Error {
  const thrown = toError(error);
  if (isAbortError(thrown)) return thrown;
  const cause = rootCause(thrown);
  const code = "code" in cause ? String(cause.code) : "";
  const meaning = MEANINGS[code];
  if (meaning === undefined) return thrown;
  return new TransportError(`cannot reach ${server}: ${meaning} (${code})`, { cause: error });
}

/** Returns the innermost cause of an error, because `fetch failed` does not explain the failure. */
export function rootCause(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootCause(error.errors[0]);
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
