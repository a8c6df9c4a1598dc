import { hostname, networkInterfaces } from "node:os";
import { Option } from "commander";
import type { Command } from "commander";
import { examples, isVerbose, parsePort } from "../../options/index.ts";
import { silentLogger } from "@levelset/core";
import { isLoopbackHost, whenAborted } from "@levelset/core/internal";
import { startEmbeddedServer } from "../../apiserver/index.ts";
import { limitHeap } from "../../process/index.ts";
import { KUBECONFIG_PATH } from "../../cluster/index.ts";
import { commandLogger } from "../../terminal/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { readTokenFile } from "../../files/index.ts";

interface ApiserverOptions {
  readonly port: number;
  readonly host: string;
  readonly tokenFile?: string;
  readonly kubeconfig: string;
  readonly credential: "token" | "certificate";
  readonly data?: string;
  readonly workloads: boolean;
}

/** Wildcard addresses: listen on all interfaces. */
const ALL_ADDRESSES: readonly string[] = ["0.0.0.0", "::"];

/** `levelset apiserver`: runs the embedded API server alone. */
export function addApiserverCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("apiserver")
    .description("run the embedded Kubernetes API server")
    .option("--port <number>", "port to listen on; 0 selects a free port", parsePort, 0)
    .option("--host <address>", "address to listen on; only loopback is private", "127.0.0.1")
    .option("--token-file <file>", "file with the administrator's token (default: a generated token)")
    .option("--kubeconfig <file>", "file to write the kubeconfig to", KUBECONFIG_PATH)
    .option("--data <path>", "file or directory to store objects in (default: in memory)")
    .option("--no-workloads", "do not simulate workloads (Deployments, Jobs, pods)")
    .addOption(
      new Option("--credential <kind>", "credential in the kubeconfig")
        .choices(["token", "certificate"])
        .default("token"),
    )
    .addHelpText("after", examples("levelset apiserver", "levelset apiserver --port 6443 --data cluster.db"))
    .action(async (options: ApiserverOptions) => {
      const verbose = isVerbose(levelset);
      const logger = verbose ? await commandLogger(shell, { format: "text", verbose }) : silentLogger;
      const signal = shell.signal();
      if (!isLoopbackHost(options.host)) {
        shell.stderr(
          `levelset: warning: other machines can reach ${options.host}; the credentials in the kubeconfig grant full access\n`,
        );
      }
      const token = options.tokenFile === undefined ? {} : { token: await readTokenFile(options.tokenFile, shell.cwd) };
      const names = ALL_ADDRESSES.includes(options.host) ? ownNames() : [];
      await using server = await startEmbeddedServer({
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
      limitHeap();
      shell.stdout(
        `API         ${server.url}\nkubeconfig  ${options.kubeconfig}\n\nTry: kubectl --kubeconfig ${options.kubeconfig} get namespaces\nCtrl-C stops; ${options.data === undefined ? "objects are in memory only" : `objects are stored in ${options.data}`}.\n`,
      );
      await whenAborted(signal);
    });
}

/** Host names and addresses under which other machines can reach this one. */
function ownNames(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname(), ...addresses.filter(({ scopeid }) => (scopeid ?? 0) === 0).map(({ address }) => address)];
}
