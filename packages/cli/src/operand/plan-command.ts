import { InputError } from "@levelset/core";
import { planOperand, scrubber } from "@levelset/operator";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import { EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { addSetFlags, askedSpec, badSet, isAboutSet } from "./asked-spec.ts";
import type { SetFlags } from "./asked-spec.ts";
import { jsonText } from "../json-text.ts";
import { askFor, getOperand, revisionNumbered, revisionsOf } from "./operand-access.ts";
import type { LiveOperand } from "./operand-access.ts";
import { isChanging, isRefused, planJson, planText } from "./plan-text.ts";

interface PlanFlags extends SetFlags, ClusterFlags {
  readonly to?: number;
  readonly summary?: boolean;
  readonly exitCode?: boolean;
  readonly output: "text" | "json";
}

/** `levelset operand plan NAME`: what a run would do now, without doing it. */
export function addPlanCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("plan")
    .argument("<name>", "how the Operand is called; with -f it need not be there yet")
    .description("show what would be done: by the Operand as it is, with other manifests, or by going back");
  addClusterFlags(addSetFlags(command))
    .option("--to <generation>", "plan to go back to a version that was ready", parseGeneration)
    .option("--summary", "only a line for each object, without what changes in it")
    .option("--exit-code", "end with 3 if anything would change")
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExit codes: 0; with --exit-code 3 if anything would change, 1 if something is refused;\n2 a wrong argument or set, 1 anything else.",
    )
    .action(async (name: string, flags: PlanFlags) => plan(name, flags, shell));
}

async function plan(name: string, flags: PlanFlags, shell: Shell): Promise<void> {
  await withCluster(shell, flags, async (session) => {
    if (flags.output === "text") shell.stderr(`${describeCluster(session.asked)}\n`);
    const asked = await proposed(name, flags, session, shell);
    const found = await planOperand(asked, { ...session, clock: shell.clock });
    if (found.kind === "invalid") throw badSet(found.problems, shell);
    const scrub = scrubber([asked.spec]);
    const colors = shell.terminal?.colors ?? false;
    shell.stdout(
      flags.output === "json"
        ? jsonText(planJson(found, scrub))
        : planText(found, { colors, diffs: flags.summary !== true, scrub }),
    );
    if (flags.exitCode === true) {
      shell.exitCode(isRefused(found) ? EXIT.failure : isChanging(found) ? EXIT.notReady : EXIT.ok);
    }
  });
}

/** The Operand that the plan is about: as it is, or as the server would have it. */
async function proposed(name: string, flags: PlanFlags, session: ClusterSession, shell: Shell): Promise<LiveOperand> {
  const ask = { dryRun: true, force: true };
  if (flags.to !== undefined) {
    if (flags.filename !== undefined || isAboutSet(flags)) {
      throw new InputError("-f or flags about a set, and --to: only one of them can be planned");
    }
    const operand = await getOperand(session, name);
    const { spec } = revisionNumbered(await revisionsOf(session, operand), flags.to);
    return askFor(session, name, spec.asked, ask);
  }
  if (flags.filename === undefined) {
    if (isAboutSet(flags)) throw new InputError("flags about a set without one", { hint: "name its objects with -f" });
    return getOperand(session, name);
  }
  const spec = await askedSpec(flags, shell, { kinds: session.discovery, signal: session.signal });
  return askFor(session, name, spec, ask);
}

/** Reads the generation of a version. */
export function parseGeneration(text: string): number {
  const generation = Number(text);
  if (/^\d+$/u.test(text) && Number.isSafeInteger(generation)) return generation;
  throw new InvalidArgumentError("a generation is a whole number; levelset operand history lists them.");
}
