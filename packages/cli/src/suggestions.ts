import type { AnyCustomKind } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Manifest } from "./manifests.ts";

/** Things to try next, with the exact commands. */
export function suggestions(options: {
  readonly kubeconfig: string | undefined;
  readonly kinds: readonly AnyCustomKind[];
  readonly manifests: readonly Manifest[];
  readonly namespace: string;
  /** Whether commands use the kubeconfig by default. */
  readonly isFound: boolean;
}): string {
  const [kind] = options.kinds;
  if (kind === undefined) return "";
  const kubectl = options.kubeconfig === undefined ? "kubectl" : `kubectl --kubeconfig ${options.kubeconfig}`;
  const sample = options.manifests.find((manifest) => manifest.kind === kind);
  const name = sample?.name ?? "NAME";
  const where =
    sample?.namespace === undefined || sample.namespace === options.namespace ? "" : ` -n ${sample.namespace}`;
  const asked = options.kubeconfig === undefined || options.isFound ? "" : ` --kubeconfig ${options.kubeconfig}`;
  const operand = options.manifests.find((manifest) => manifest.kind === Operand);
  return [
    "Try, in another terminal:",
    `  ${kubectl} get ${kind.plural}${where} -w`,
    `  ${kubectl} edit ${kind.singular}${where} ${name}`,
    `  ${kubectl} wait${where} --for=condition=Ready ${kind.singular}/${name}`,
    `  npx levelset why${where} ${kind.singular}/${name}${asked}`,
    ...(operand === undefined ? [] : [`  npx levelset operand status ${operand.name}${asked}`]),
    "",
    "Objects, as they change (Ctrl-C stops):",
    "",
  ].join("\n");
}
