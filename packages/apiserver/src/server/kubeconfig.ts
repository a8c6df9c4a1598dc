/** What a client must know to reach a server. */
export interface Access {
  readonly url: string;
  /** The authority to trust, in PEM. */
  readonly ca: string;
  readonly token: string;
}

const NAME = "levelset";

/** A kubeconfig with this server as its only context. JSON is YAML. */
export function kubeconfigText(access: Access): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: NAME,
        cluster: { server: access.url, "certificate-authority-data": Buffer.from(access.ca).toString("base64") },
      },
    ],
    users: [{ name: NAME, user: { token: access.token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
    "current-context": NAME,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
