import { operandOperators } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { explainUnreachable, findCluster } from "../find-cluster.ts";
import { addClusterFlags, describeCluster } from "../cluster-session.ts";
import { addProcessFlags } from "../manager-flags.ts";
import { runProgram } from "../run-program.ts";
import type { RunProgramOptions } from "../run-program.ts";
import type { Shell } from "../shell.ts";

interface RunFlags extends Omit<RunProgramOptions, "file" | "verbose" | "installCrds"> {
  readonly context?: string;
  readonly installCrds: boolean;
}

/** `levelset operand run`: runs the Operand controllers until the process is stopped. */
export function addOperandRunCommand(operand: Command, shell: Shell): void {
  const command = operand.command("run").description("run the Operand controllers of a cluster in one process");
  addProcessFlags(addClusterFlags(command).option("--no-install-crds", "do not create or update the CRDs first"))
    .addOption(new Option("--log-format <format>", "log format").choices(["text", "json"]).default("text"))
    .action(async (flags: RunFlags) => {
      const cluster = await findCluster(shell, flags);
      const program = { operators: operandOperators(), others: [], options: {} };
      const verbose = operand.parent?.opts()["verbose"] === true;
      shell.stderr(`${describeCluster(cluster)}: reconciling Operands; Ctrl-C stops\n`);
      const kubeconfig = cluster.foundIn === undefined ? {} : { kubeconfig: cluster.foundIn };
      await runProgram(program, cluster.access, { ...flags, ...kubeconfig, verbose }, shell).catch((error: unknown) => {
        throw explainUnreachable(error, cluster, shell);
      });
    });
}
