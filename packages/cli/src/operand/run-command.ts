import { operandOperators } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { explainNoAnswer, findCluster } from "../access.ts";
import { addClusterFlags, describeCluster } from "../cluster-session.ts";
import { addProcessFlags } from "../manager-flags.ts";
import { runProgram } from "../run-program.ts";
import type { RunProgramOptions } from "../run-program.ts";
import type { Shell } from "../shell.ts";

interface RunFlags extends Omit<RunProgramOptions, "file" | "verbose" | "installCrds"> {
  readonly context?: string;
  readonly installCrds: boolean;
}

/** `levelset operand run`: keeps all Operands of a cluster, until it is stopped. */
export function addRunCommand(operand: Command, shell: Shell): void {
  const command = operand.command("run").description("keep the Operands of a cluster: both controllers in one process");
  addProcessFlags(addClusterFlags(command).option("--no-install-crds", "do not create or update the CRDs first"))
    .addOption(new Option("--log-format <format>", "how log lines look").choices(["text", "json"]).default("text"))
    .action(async (flags: RunFlags) => {
      const asked = await findCluster(shell, flags);
      const program = { operators: operandOperators(), others: [], options: {} };
      const verbose = operand.parent?.opts()["verbose"] === true;
      shell.stderr(`${describeCluster(asked)}: Operands are kept; Ctrl-C stops\n`);
      const kubeconfig = asked.found === undefined ? {} : { kubeconfig: asked.found };
      await runProgram(program, asked.access, { ...flags, ...kubeconfig, verbose }, shell).catch((error: unknown) => {
        throw explainNoAnswer(error, asked, shell);
      });
    });
}
