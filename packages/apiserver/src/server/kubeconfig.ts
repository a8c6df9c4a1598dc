import type { ClientCertificate } from "./certificate.ts";

/** Connection settings of a client. */
export interface KubeconfigAccess {
  readonly url: string;
  /** CA certificate in PEM. */
  readonly ca: string;
  /** A bearer token or a client certificate. */
  readonly credential: { readonly token: string } | ClientCertificate;
}

const NAME = "levelset";

/** Returns a kubeconfig with this server as its only context, in JSON, which is valid YAML. */
export function kubeconfigText({ url, ca, credential }: KubeconfigAccess): string {
  const user =
    "token" in credential
      ? { token: credential.token }
      : { "client-certificate-data": base64(credential.cert), "client-key-data": base64(credential.key) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: NAME, cluster: { server: url, "certificate-authority-data": base64(ca) } }],
    users: [{ name: NAME, user }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
    "current-context": NAME,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
