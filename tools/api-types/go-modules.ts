import { runCommand } from "../envtest/command.ts";
import { KUBERNETES_VERSION } from "../envtest/index.ts";
import type { Environment } from "../envtest/index.ts";

/** Directories of the downloaded modules, by module path. */
export type GoModules = ReadonlyMap<string, string>;

/** Modules with the API types. Kubernetes v1.36.3 publishes them as v0.36.3. */
export const TYPE_MODULES: readonly string[] = ["k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"];

/** The module with the OpenAPI definitions of kube-apiserver. */
export const SERVER_MODULE = "k8s.io/kubernetes";

/**
 * Downloads the modules of the pinned Kubernetes release to Go's module cache, with the user's proxy settings. Go
 * verifies their checksums. Throws if Go is not installed.
 */
export async function downloadModules(options: {
  readonly env: Environment;
  readonly cwd: string;
}): Promise<GoModules> {
  const versions = [
    ...TYPE_MODULES.map((path) => `${path}@${KUBERNETES_VERSION.replace(/^v1\./u, "v0.")}`),
    `${SERVER_MODULE}@${KUBERNETES_VERSION}`,
  ];
  const output = await runCommand({
    command: "go",
    args: ["mod", "download", "-json", ...versions],
    cwd: options.cwd,
    env: { ...options.env, GOWORK: "off" },
    notFound: "Go is not installed (no `go` on the PATH): install it to generate the API types.",
  });
  // One JSON object per module, without separators.
  const modules = JSON.parse(`[${output.trim().replaceAll(/^\}\n\{/gmu, "},\n{")}]`) as readonly {
    readonly Path: string;
    readonly Dir: string;
  }[];
  return new Map(modules.map(({ Path, Dir }) => [Path, Dir]));
}
