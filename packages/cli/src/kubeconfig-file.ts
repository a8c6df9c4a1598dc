import { basename, dirname, join } from "node:path";

/** Where the kubeconfig of an embedded server is written by default; commands of the directory find it there. */
export const KUBECONFIG_PATH: string = ".levelset/kubeconfig";

/** Where the directory of a kubeconfig remembers its server; undefined for a kubeconfig that commands use only when it is named. */
export function memoryPathOf(kubeconfig: string): string | undefined {
  const folder = dirname(kubeconfig);
  const isFound = basename(kubeconfig) === basename(KUBECONFIG_PATH) && basename(folder) === dirname(KUBECONFIG_PATH);
  return isFound ? join(folder, "server.json") : undefined;
}
