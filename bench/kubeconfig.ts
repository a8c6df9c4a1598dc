import type { ServerAccess } from "./apiserver-client.ts";

/** Returns a kubeconfig for a measured server, in JSON, which is valid YAML. */
export function kubeconfigText({ url, ca, token }: ServerAccess): string {
  const authority = Buffer.from(ca).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "bench", cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name: "bench", user: { token } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  });
}
