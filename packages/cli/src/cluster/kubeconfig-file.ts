import { basename, dirname, join } from "node:path";

/** Default kubeconfig path of an embedded server; commands in the directory read it. */
export const KUBECONFIG_PATH: string = ".levelset/kubeconfig";

/** Returns the path of the server record; undefined for a kubeconfig that is not used by default. */
export function serverRecordPath(kubeconfig: string): string | undefined {
  const folder = dirname(kubeconfig);
  const isFound = basename(kubeconfig) === basename(KUBECONFIG_PATH) && basename(folder) === dirname(KUBECONFIG_PATH);
  return isFound ? join(folder, "server.json") : undefined;
}
