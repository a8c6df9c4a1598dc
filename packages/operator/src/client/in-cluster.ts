import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import type { ClusterAccess } from "./kubeconfig.ts";

/** Where a pod finds its service account. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Access as the service account of the pod that we run in. The token is read for each request, because it is replaced on disk. */
export async function inClusterAccess(options: {
  readonly host: string;
  readonly port: string;
  /** Only tests keep it elsewhere. */
  readonly directory?: string;
}): Promise<ClusterAccess> {
  const directory = options.directory ?? SERVICE_ACCOUNT;
  const read = async (name: string): Promise<string> => {
    try {
      return (await readFile(join(directory, name), "utf8")).trim();
    } catch {
      throw new InputError(`running in a cluster, but ${join(directory, name)} cannot be read`, {
        hint: "the pod needs a service account with automountServiceAccountToken, or name a file with --kubeconfig",
      });
    }
  };
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    server: `https://${host}:${options.port}`,
    context: "in-cluster",
    namespace: await read("namespace"),
    ca: await read("ca.crt"),
    skipVerification: false,
    token: () => read("token"),
  };
}
