import type { ClientCertificate } from "./certificate.ts";

/** What a client must know to reach a server. */
export interface Access {
  readonly url: string;
  /** The authority to trust, in PEM. */
  readonly ca: string;
  /** What it shows: a bearer token, or a certificate of its own. */
  readonly credential: { readonly token: string } | ClientCertificate;
}

const NAME = "levelset";

/** A kubeconfig with this server as its only context. JSON is YAML. */
export function kubeconfigText({ url, ca, credential }: Access): string {
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
