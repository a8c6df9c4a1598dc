import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../envtest/command.ts";
import { KUBERNETES_VERSION } from "../envtest/index.ts";
import type { Environment } from "../envtest/index.ts";

/** Directories of the downloaded modules, by module path. */
export type GoModules = ReadonlyMap<string, string>;

/** Modules with the API types. Kubernetes v1.36.3 publishes them as v0.36.3. */
export const TYPE_MODULES: readonly string[] = ["k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"];

/** The module with the OpenAPI definitions of kube-apiserver. */
export const SERVER_MODULE = "k8s.io/kubernetes";

/** The module with the protobuf form of Swagger documents. */
export const SWAGGER_MODULE = "github.com/google/gnostic-models";

/**
 * Downloads the modules of the pinned Kubernetes release to Go's module cache, with the user's proxy settings. Go
 * verifies their checksums. Throws if Go is not installed.
 */
export async function downloadModules(options: {
  readonly env: Environment;
  readonly cwd: string;
}): Promise<GoModules> {
  const modules = await download(options, [
    ...TYPE_MODULES.map((path) => `${path}@${KUBERNETES_VERSION.replace(/^v1\./u, "v0.")}`),
    `${SERVER_MODULE}@${KUBERNETES_VERSION}`,
  ]);
  const goMod = await readFile(join(modules.get(SERVER_MODULE) ?? "", "go.mod"), "utf8");
  const [, version] = new RegExp(`^\\s*${SWAGGER_MODULE} (v\\S+)`, "mu").exec(goMod) ?? [];
  if (version === undefined)
    throw new Error(`The go.mod of Kubernetes ${KUBERNETES_VERSION} has no ${SWAGGER_MODULE}.`);
  return new Map([...modules, ...(await download(options, [`${SWAGGER_MODULE}@${version}`]))]);
}

async function download(
  options: { readonly env: Environment; readonly cwd: string },
  versions: readonly string[],
): Promise<GoModules> {
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
