import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Files that the control plane authenticates with, all readable by their owner only. */
export interface Credentials {
  /** A bearer token of a user in the group `system:masters`. */
  readonly token: string;
  readonly tokenFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

/** Creates fresh credentials in a directory. */
export async function writeCredentials(directory: string): Promise<Credentials> {
  const token = randomBytes(32).toString("base64url");
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const files = {
    tokenFile: join(directory, "tokens.csv"),
    serviceAccountKey: join(directory, "service-account.key"),
    serviceAccountPublicKey: join(directory, "service-account.pub"),
  };
  await writePrivate(files.tokenFile, `${token},admin,admin,"system:masters"\n`);
  await writePrivate(files.serviceAccountKey, privateKey);
  await writePrivate(files.serviceAccountPublicKey, publicKey);
  return { token, ...files };
}

/** Writes a file with mode 0600. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
}

/**
 * Returns the CA certificates among PEM certificates. kube-apiserver creates a CA for its serving certificate and
 * appends it to the same file; clients must trust the CA.
 */
export function authoritiesIn(pem: string): string {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return certificates.filter((certificate) => new X509Certificate(certificate).ca).join("");
}

/** Returns a kubeconfig with one cluster, one user and one context, in JSON, which is valid YAML. */
export function kubeconfigText(options: { url: string; ca: string; token: string }): string {
  const cluster = { server: options.url, "certificate-authority-data": Buffer.from(options.ca).toString("base64") };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "envtest", cluster }],
    users: [{ name: "admin", user: { token: options.token } }],
    contexts: [{ name: "envtest", context: { cluster: "envtest", user: "admin" } }],
    "current-context": "envtest",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
