import { operandOperators } from "@levelset/operator";
import { examples, isVerbose } from "../../options/index.ts";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, findCluster } from "../../cluster/index.ts";
import { addProcessFlags, runProgram } from "../../program/index.ts";
import type { RunProgramOptions } from "../../program/index.ts";
import type { Shell } from "../../terminal/index.ts";

interface RunFlags extends Omit<RunProgramOptions, "file" | "verbose" | "installCrds"> {
  readonly context?: string;
  readonly installCrds: boolean;
}

/** `levelset operand run`: runs the Operand controllers until the process is stopped. */
export function addOperandRunCommand(operand: Command, shell: Shell): void {
  const command = operand.command("run").description("run the Operand controllers of a cluster in one process");
  addProcessFlags(addClusterFlags(command).option("--no-install-crds", "do not create or update the CRDs first"))
    .addHelpText("after", examples("levelset operand run", "levelset operand run --leader-elect --listen 0.0.0.0:8080"))
    .action(async (flags: RunFlags) => {
      const cluster = await findCluster(shell, flags);
      const program = { operators: operandOperators(), others: [], options: {} };
      const verbose = isVerbose(operand);
      shell.stderr(`${describeCluster(cluster)}: reconciling Operands; Ctrl-C stops\n`);
      await runProgram(program, cluster, { ...flags, verbose }, shell);
    });
}
