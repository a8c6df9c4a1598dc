import { basename, extname } from "node:path";
import { installKind, operandOperators } from "@levelset/operator";
import { ChildOperator } from "../child.ts";
import { withCluster } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { askedSpec } from "./asked-spec.ts";
import { askFor } from "./operand-access.ts";

/** What keeps Operands beside an operator in development. */
export interface DevOperandsOptions {
  readonly kubeconfig: string;
  /** A file of manifests to make an Operand of, called after the file. */
  readonly file?: string;
}

/** Keeps the Operands of a cluster in a process of its own, until the answer is disposed. */
export async function startOperands({ kubeconfig, file }: DevOperandsOptions, shell: Shell): Promise<AsyncDisposable> {
  await withCluster(shell, { kubeconfig }, async (session) => {
    const { client, signal, discovery } = session;
    for (const kind of operandOperators().flatMap(({ kinds }) => kinds)) {
      await installKind(client, kind, { clock: shell.clock, signal });
    }
    if (file === undefined) return;
    const spec = await askedSpec({ filename: [file] }, shell, { kinds: discovery, signal });
    await askFor(session, basename(file, extname(file)), spec, { dryRun: false, force: true });
  });
  const child = new ChildOperator({ cwd: shell.cwd, stderr: shell.stderr });
  child.start(["operand", "run", "--kubeconfig", kubeconfig, "--no-install-crds", "--listen", "127.0.0.1:0"]);
  return { [Symbol.asyncDispose]: () => child.stop() };
}
