import { InputError } from "@levelset/core";
import { secretScrubber } from "@levelset/core/internal";
import { planOperand } from "@levelset/operator";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags, ClusterSession } from "../../cluster/index.ts";
import { EXIT_CODES } from "../../process/index.ts";
import { jsonText } from "../../terminal/index.ts";
import type { Shell } from "../../terminal/index.ts";
import {
  addSetFlags,
  applyOperand,
  getOperand,
  hasChanges,
  hasRefusals,
  hasSetFlags,
  invalidSetError,
  parseGeneration,
  planJson,
  planText,
  revisionByGeneration,
  revisionsOf,
  specFromFlags,
} from "../../operand/index.ts";
import type { LiveOperand, SetFlags } from "../../operand/index.ts";
import { examples, outputOption } from "../../options/index.ts";

interface PlanFlags extends SetFlags, ClusterFlags {
  readonly to?: number;
  readonly summary?: boolean;
  readonly exitCode?: boolean;
  readonly output: "text" | "json";
}

/** `levelset operand plan NAME`: prints what the next reconcile would do. */
export function addOperandPlanCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("plan")
    .argument("<name>", "name of the Operand; with -f it need not exist yet")
    .description("show what applying, changing or rolling back an Operand would do");
  addClusterFlags(addSetFlags(command))
    .option("--to <generation>", "generation to plan a rollback to", parseGeneration)
    .option("--summary", "print one line per object, without field changes")
    .option("--exit-code", "exit with 3 if anything would change")
    .addOption(outputOption("text", "json"))
    .addHelpText(
      "after",
      "\nExit codes: 0; with --exit-code 3 if anything would change, 1 if an object is refused;\n2 wrong argument or manifest, 1 any other error.",
    )
    .addHelpText(
      "after",
      examples(
        "levelset operand plan shop",
        "levelset operand plan shop -f manifests/ --summary --exit-code   # before a merge",
        "levelset operand plan shop --to 3",
      ),
    )
    .action(async (name: string, flags: PlanFlags) => plan(name, flags, shell));
}

async function plan(name: string, flags: PlanFlags, shell: Shell): Promise<void> {
  await withCluster(shell, flags, async (session) => {
    if (flags.output === "text") shell.stderr(`${describeCluster(session.cluster)}\n`);
    const operand = await proposed(name, flags, session, shell);
    const result = await planOperand(operand, { ...session, clock: shell.clock });
    if (result.kind === "invalid") throw invalidSetError(result, shell);
    const scrub = secretScrubber([operand.spec]);
    const colors = shell.terminal?.colors ?? false;
    shell.stdout(
      flags.output === "json"
        ? jsonText(planJson(result, scrub))
        : planText(result, { colors, diffs: flags.summary !== true, scrub }),
    );
    if (flags.exitCode === true) {
      shell.exitCode(
        hasRefusals(result) ? EXIT_CODES.failure : hasChanges(result) ? EXIT_CODES.notReady : EXIT_CODES.ok,
      );
    }
  });
}

/** Returns the Operand to plan: the stored one, or the result of a server-side dry run. */
async function proposed(name: string, flags: PlanFlags, session: ClusterSession, shell: Shell): Promise<LiveOperand> {
  const options = { dryRun: true, force: true };
  if (flags.to !== undefined) {
    if (flags.filename !== undefined || hasSetFlags(flags)) {
      throw new InputError("--to cannot be combined with -f or flags for manifests");
    }
    const operand = await getOperand(session, name);
    const { spec } = revisionByGeneration(await revisionsOf(session, operand), flags.to);
    return applyOperand(session, name, spec.asked, options);
  }
  if (flags.filename === undefined) {
    if (hasSetFlags(flags)) throw new InputError("flags for manifests need -f", { hint: "pass manifests with -f" });
    return getOperand(session, name);
  }
  const spec = await specFromFlags(flags, shell, { kinds: session.discovery, signal: session.signal, name });
  return applyOperand(session, name, spec, options);
}
