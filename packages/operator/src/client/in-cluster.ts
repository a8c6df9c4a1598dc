import { join } from "node:path";
import { InputError, realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ClusterAccess } from "./access.ts";
import { FileSource, tokenFileCredentials } from "./file-source.ts";

/** Where a pod finds its service account. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Access as the service account of the pod that we run in. Token and authority are read again as they are replaced on disk. */
export async function inClusterAccess(options: {
  readonly host: string;
  readonly port: string;
  /** Only tests keep it elsewhere. */
  readonly directory?: string;
  readonly clock?: Clock;
}): Promise<ClusterAccess> {
  const { directory = SERVICE_ACCOUNT, clock = realClock } = options;
  const file = (name: string): FileSource => new FileSource({ path: join(directory, name), clock, onMissing });
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const [ca, token] = [file("ca.crt"), file("token")];
  const [namespace] = await Promise.all([file("namespace").text(), ca.text(), token.text()]);
  return {
    server: `https://${host}:${options.port}`,
    context: "in-cluster",
    namespace,
    ca: () => ca.text(),
    skipVerification: false,
    credentials: tokenFileCredentials(token),
    compression: true,
  };
}

function onMissing(path: string): InputError {
  return new InputError(`running in a cluster, but ${path} cannot be read`, {
    hint: "the pod needs a service account with automountServiceAccountToken, or name a file with --kubeconfig",
  });
}
