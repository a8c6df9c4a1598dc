import { hostname, networkInterfaces } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { silentLogger } from "@levelset/core";
import { startServer } from "../embedded.ts";
import { boundHeap } from "../heap.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { commandLogger } from "../log.ts";
import { isLoopback } from "../loopback.ts";
import type { Shell } from "../shell.ts";
import { aborted } from "../signals.ts";
import { readTokenFile } from "../token-file.ts";
import { addCheckCommand } from "./apiserver-check.ts";

interface ApiserverOptions {
  readonly port: number;
  readonly host: string;
  readonly tokenFile?: string;
  readonly kubeconfig: string;
  readonly credential: "token" | "certificate";
  readonly data?: string;
  readonly workloads: boolean;
}

/** Addresses that stand for all that the machine has. */
const ALL_ADDRESSES: readonly string[] = ["0.0.0.0", "::"];

/** `levelset apiserver`: runs the embedded API server alone. */
export function addApiserverCommand(levelset: Command, shell: Shell): void {
  const apiserver = levelset
    .command("apiserver")
    .description("run the embedded Kubernetes API server (on this machine only)")
    .option("--port <number>", "the port to listen on; 0 takes a free one", parsePort, 0)
    .option("--host <address>", "the address to listen on; other machines can reach any but the default", "127.0.0.1")
    .option("--token-file <file>", "a file with the administrator's token; by default a new one is made")
    .option("--kubeconfig <file>", "where to write the kubeconfig", KUBECONFIG_PATH)
    .option("--data <path>", "the file or directory where objects are kept; by default in memory")
    .option("--no-workloads", "do not simulate workloads: Deployments, Jobs and pods stay as they were written")
    .addOption(
      new Option("--credential <kind>", "what the kubeconfig holds: a bearer token or a client certificate")
        .choices(["token", "certificate"])
        .default("token"),
    )
    .action(async (options: ApiserverOptions) => {
      const verbose = levelset.opts()["verbose"] === true;
      const logger = verbose ? await commandLogger(shell, { format: "text", verbose }) : silentLogger;
      const signal = shell.signal();
      if (!isLoopback(options.host)) {
        shell.stderr(
          `levelset: warning: other machines can reach ${options.host}; whoever holds the kubeconfig's credentials can do everything\n`,
        );
      }
      const token = options.tokenFile === undefined ? {} : { token: await readTokenFile(options.tokenFile, shell.cwd) };
      const names = ALL_ADDRESSES.includes(options.host) ? ownNames() : [];
      await using server = await startServer({
        ...options,
        ...token,
        command: "levelset apiserver",
        names,
        clock: shell.clock,
        cwd: shell.cwd,
        logger,
      });
      if (server.quarantinedRows > 0) {
        shell.stderr(
          `levelset: warning: ${server.quarantinedRows} damaged rows of ${options.data} are in quarantine and not served\n` +
            `hint: stop the server and run: levelset apiserver check --data ${options.data}\n`,
        );
      }
      boundHeap();
      shell.stdout(
        `API         ${server.url}\nkubeconfig  ${options.kubeconfig}\n\nTry: kubectl --kubeconfig ${options.kubeconfig} get namespaces\nCtrl-C stops; ${options.data === undefined ? "nothing is kept" : `objects are kept in ${options.data}`}.\n`,
      );
      await aborted(signal);
    });
  addCheckCommand(apiserver, shell);
}

/** The names and addresses that others may use for this machine. */
function ownNames(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname(), ...addresses.filter(({ scopeid }) => (scopeid ?? 0) === 0).map(({ address }) => address)];
}

/** Reads a port number. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
}
