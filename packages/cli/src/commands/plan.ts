import { connect } from "@levelset/operator";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, explainRefusal, explainUnreachable, findCluster } from "../cluster/index.ts";
import type { ClusterFlags } from "../cluster/index.ts";
import { examples, outputOption, parseNamespaces } from "../options/index.ts";
import { changesAnything, hasRegression, planUpgrade, upgradePlanJson, upgradePlanText } from "../plan/index.ts";
import type { RedactablePlan, UpgradePlan } from "../plan/index.ts";
import { EXIT_CODES, guardProgram, interruptible, loadProgram } from "../process/index.ts";
import type { Program } from "../process/index.ts";
import { jsonText } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";

interface PlanFlags extends ClusterFlags {
  readonly namespace?: readonly string[];
  readonly summary?: boolean;
  readonly exitCode?: boolean;
  readonly output: "text" | "json";
}

/** `levelset plan FILE`: previews the upgrade of an operator on a copy of a cluster. */
export function addPlanCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("plan")
    .argument("<file>", "TypeScript or JavaScript file with an operator as default export")
    .description("preview an operator upgrade on a copy of a cluster")
    .option("-n, --namespace <names>", "namespaces to copy (a,b,c; default: those of the operator)", parseNamespaces);
  addClusterFlags(command)
    .option("--summary", "print one line per object, without field changes")
    .option("--exit-code", "exit with 3 if anything would change, 4 if an object would get worse")
    .addOption(outputOption("text", "json"))
    .addHelpText(
      "after",
      [
        "",
        "Reads the objects that the operator declares into an embedded server, runs the operator there",
        "until it rests, and compares. Nothing is written to the cluster. Calls of external steps are held",
        "back; other steps run as they are, so they must reach other systems in external steps only.",
        "",
        "Exit codes: 0; with --exit-code 3 if anything would change, 4 for a regression: an object that is",
        "Ready would not be, would fail, is not valid for the new schema or loses fields, or the operator",
        "fails, lacks a right, does not come to rest or does not finish; 2 wrong argument or missing",
        "permission, 130 stopped by a signal before its end, 1 any other error.",
      ].join("\n"),
    )
    .addHelpText(
      "after",
      examples(
        "levelset plan src/shop.ts --context production",
        "levelset plan src/shop.ts --kubeconfig prod.yaml --summary --exit-code   # before a release",
        "levelset plan src/shop.ts -n shop -o json",
      ),
    )
    .action(async (file: string, flags: PlanFlags) => {
      await interruptible(shell, async (once) => print(await guardedPlan(file, flags, once), flags, once));
    });
}

/** Plans the upgrade. Code of the program neither writes to stdout nor decides the exit code. */
async function guardedPlan(file: string, flags: PlanFlags, shell: Shell): Promise<RedactablePlan> {
  const exitCode = flags.exitCode === true ? EXIT_CODES.regression : EXIT_CODES.failure;
  using _ = guardProgram({ stderr: shell.stderr, exitCode, signal: shell.signal() });
  return await planOn(await loadProgram(file, shell.cwd), file, flags, shell);
}

async function planOn(program: Program, file: string, flags: PlanFlags, shell: Shell): Promise<RedactablePlan> {
  const cluster = await findCluster(shell, flags);
  const { access } = cluster;
  const inform = (text: string): void => {
    if (flags.output === "text") shell.stderr(`${text}\n`);
  };
  inform(describeCluster(cluster));
  const connection = connect(access);
  const { rejections: source } = shell;
  try {
    return await planUpgrade(program, {
      fetch: connection.fetch,
      clock: shell.clock,
      signal: shell.signal(),
      file,
      namespaces: flags.namespace,
      onRead: (objects) => inform(`copied ${objects} object${objects === 1 ? "" : "s"}`),
      ...(source === undefined ? {} : { unhandledRejections: { source } }),
    });
  } catch (error) {
    throw explainRefusal(explainUnreachable(error, cluster, shell), { context: access.context, file });
  } finally {
    await connection.close();
  }
}

function print({ plan, redactor }: RedactablePlan, flags: PlanFlags, shell: Shell): void {
  const colors = shell.terminal?.colors ?? false;
  shell.stdout(
    flags.output === "json"
      ? jsonText(upgradePlanJson(plan, redactor))
      : upgradePlanText(plan, { colors, diffs: flags.summary !== true, redactor }),
  );
  if (flags.exitCode === true) shell.exitCode(exitCodeFor(plan));
}

function exitCodeFor(plan: UpgradePlan): number {
  if (hasRegression(plan)) return EXIT_CODES.regression;
  return changesAnything(plan) ? EXIT_CODES.notReady : EXIT_CODES.ok;
}
