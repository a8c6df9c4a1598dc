import { join } from "node:path";
import { InputError, realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ClusterConfig } from "./cluster-config.ts";
import { CachedFile, tokenFileCredentials } from "./cached-file.ts";

/** Mount path of the service account in a pod. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Returns the configuration of the pod's service account. Token and authority are read again when they are replaced on
 * disk. Rejects with an `InputError` if the files cannot be read.
 */
export async function inClusterConfig(options: {
  readonly host: string;
  readonly port: string;
  /** Only tests set it. */
  readonly directory?: string;
  readonly clock?: Clock;
}): Promise<ClusterConfig> {
  const { directory = SERVICE_ACCOUNT, clock = realClock } = options;
  const file = (name: string): CachedFile => new CachedFile({ path: join(directory, name), clock, onMissing });
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const [ca, token] = [file("ca.crt"), file("token")];
  const [namespace] = await Promise.all([file("namespace").text(), ca.text(), token.text()]);
  return {
    server: `https://${host}:${options.port}`,
    context: "in-cluster",
    namespace,
    ca: () => ca.text(),
    insecureSkipTlsVerify: false,
    credentials: tokenFileCredentials(token),
    compression: true,
  };
}

function onMissing(path: string): InputError {
  return new InputError(`running in a cluster, but ${path} cannot be read`, {
    hint: "the pod needs a service account with automountServiceAccountToken, or name a file with --kubeconfig",
  });
}
