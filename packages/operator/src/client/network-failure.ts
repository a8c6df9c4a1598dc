import { isAbort, toError, TransportError } from "@levelset/core";

/** What the platform's codes mean for somebody who wants to reach a cluster. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; is the cluster running?",
  ENOTFOUND: "the name is unknown; check the server address in the kubeconfig",
  EAI_AGAIN: "the name could not be looked up; check the network",
  ETIMEDOUT: "no answer; check the network and the server address",
  CERT_HAS_EXPIRED: "the server's certificate has expired; renew it",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "the server's certificate is signed by nobody we trust; check certificate-authority in the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN:
    "the server's authority is not the one we trust; check certificate-authority in the kubeconfig",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the server's authority is not the one we trust; check certificate-authority in the kubeconfig",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the server's authority is not the one we trust; check certificate-authority in the kubeconfig",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name; check the address or tls-server-name",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "our client certificate has expired; have a new one issued",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not know the authority of our client certificate",
};

/** A failure on the way to a server, with its meaning where it is known. What was sent is no part of it. */
export function explainFailure(error: unknown, server: string): Error {
  const thrown = toError(error);
  if (isAbort(thrown)) return thrown;
  const cause = innermost(thrown);
  const code = "code" in cause ? String(cause.code) : "";
  const meaning = MEANINGS[code];
  if (meaning === undefined) return thrown;
  return new TransportError(`cannot reach ${server}: ${meaning} (${code})`, { cause: error });
}

/** `fetch failed` says nothing; the reason is the cause of the cause. */
export function innermost(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return innermost(error.errors[0]);
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
