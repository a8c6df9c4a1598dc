import type { AnyCustomKind } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { FileManifest } from "./read-manifests.ts";

/** Returns suggested next commands. */
export function suggestions(options: {
  readonly kubeconfig: string | undefined;
  readonly kinds: readonly AnyCustomKind[];
  readonly manifests: readonly FileManifest[];
  readonly namespace: string;
  /** Whether commands use the kubeconfig by default. */
  readonly isFound: boolean;
}): string {
  const [kind] = options.kinds;
  if (kind === undefined) return "";
  const kubectl = options.kubeconfig === undefined ? "kubectl" : `kubectl --kubeconfig ${options.kubeconfig}`;
  const sample = options.manifests.find((manifest) => manifest.kind === kind);
  const name = sample?.name ?? "NAME";
  const namespaceFlag =
    sample?.namespace === undefined || sample.namespace === options.namespace ? "" : ` -n ${sample.namespace}`;
  const flag = options.kubeconfig === undefined || options.isFound ? "" : ` --kubeconfig ${options.kubeconfig}`;
  const operand = options.manifests.find((manifest) => manifest.kind === Operand);
  return [
    "Try, in another terminal:",
    `  ${kubectl} get ${kind.plural}${namespaceFlag} -w`,
    `  ${kubectl} edit ${kind.singular}${namespaceFlag} ${name}`,
    `  ${kubectl} wait${namespaceFlag} --for=condition=Ready ${kind.singular}/${name}`,
    `  npx levelset why${namespaceFlag} ${kind.singular}/${name}${flag}`,
    ...(operand === undefined ? [] : [`  npx levelset operand status ${operand.name}${flag}`]),
    "",
    "Objects, as they change (Ctrl-C stops):",
    "",
  ].join("\n");
}
