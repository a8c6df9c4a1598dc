import type { Reachable } from "./apiserver-client.ts";

/** How programs reach a server that is measured. JSON is YAML too. */
export function kubeconfigText({ url, ca, token }: Reachable): string {
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
