import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { silentLogger } from "@levelset/core";
import { startServer } from "../embedded.ts";
import { commandLogger } from "../log.ts";
import type { Shell } from "../shell.ts";

interface ApiserverOptions {
  readonly port: number;
  readonly kubeconfig: string;
}

/** Where the kubeconfig of an embedded server is written unless told otherwise. */
export const KUBECONFIG_PATH: string = ".levelset/kubeconfig";

/** `levelset apiserver`: runs the embedded API server alone. */
export function addApiserverCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("apiserver")
    .description("run the embedded Kubernetes API server (in memory, on this machine only)")
    .option("--port <number>", "the port to listen on; 0 takes a free one", parsePort, 0)
    .option("--kubeconfig <file>", "where to write the kubeconfig", KUBECONFIG_PATH)
    .action(async (options: ApiserverOptions) => {
      const verbose = levelset.opts()["verbose"] === true;
      const logger = verbose ? await commandLogger(shell, { format: "text", verbose }) : silentLogger;
      const signal = shell.signal();
      await using server = await startServer({ ...options, clock: shell.clock, cwd: shell.cwd, logger });
      shell.stdout(
        `API         ${server.url}\nkubeconfig  ${options.kubeconfig}\n\nTry: kubectl --kubeconfig ${options.kubeconfig} get namespaces\nCtrl-C stops; nothing is kept.\n`,
      );
      await aborted(signal);
    });
}

/** Reads a port number. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
