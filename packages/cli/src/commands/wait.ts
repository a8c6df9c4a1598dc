import { InputError, isAbortError, kindId } from "@levelset/core";
import { Option } from "commander";
import type { Command } from "commander";
import {
  addClusterFlags,
  clusterKind,
  describeCluster,
  objectKeyIn,
  parseObjectArgs,
  withCluster,
} from "../cluster/index.ts";
import type { ClusterFlags, ClusterSession, ObjectArg } from "../cluster/index.ts";
import { addFleetFlags, usesFleet } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import { EXIT_CODES } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";
import { addTimeoutFlag, objectTarget, parseWaitGeneration, runWait, timeoutMs, WAIT_GOALS } from "../wait/index.ts";
import type { TimeoutFlag, WaitGoal, WaitTarget } from "../wait/index.ts";
import { examples, outputOption } from "../options/index.ts";

interface WaitFlags extends ClusterFlags, FleetFlags, TimeoutFlag {
  readonly in?: string;
  readonly namespace?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
  readonly keepWaiting?: boolean;
  readonly output: "text" | "json";
}

/** `levelset wait OBJECT…`: waits until objects are Ready at their latest generation, Available, or deleted. */
export function addWaitCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("wait")
    .argument("<object...>", "KIND/NAME… or KIND NAME…; KIND as in kubectl, or a fleet kind")
    .description("wait until objects or fleet resources are Ready at their generation")
    .addOption(new Option("--for <state>", "state to wait for").choices(WAIT_GOALS).default("ready"))
    .option("--generation <number>", "minimum generation; older reads are ignored", parseWaitGeneration);
  addTimeoutFlag(command.option("--keep-waiting", "keep waiting for objects that have Failed")).option(
    "-n, --namespace <name>",
    "namespace of the objects (default: that of the context)",
  );
  addClusterFlags(command).addOption(outputOption("text", "json"));
  addFleetFlags(command)
    .option("--in <parent>", "name of the parent of a fleet resource")
    .addHelpText(
      "after",
      "\nProgress goes to stderr, the result to stdout. A terminal shows one line per object, redrawn.\nExit codes: 0 reached, 3 not reached or Failed, 2 wrong argument, 1 any other error.",
    )
    .addHelpText(
      "after",
      examples(
        "levelset wait deployment/web -n shop",
        "levelset wait operand/shop --generation 4 --timeout 10m",
        "levelset wait job/migrate job/seed --for deleted -o json",
        "levelset wait nodepool/blue --in eu-1   # in a fleet",
      ),
    )
    .action(async (args: readonly string[], flags: WaitFlags) => wait(parseObjectArgs(args), flags, shell));
}

async function wait(objects: readonly ObjectArg[], flags: WaitFlags, parent: Shell): Promise<void> {
  // Shared by all targets: each call of `signal` installs process listeners.
  const signal = parent.signal();
  const shell = { ...parent, signal: () => signal };
  const run = { goal: flags.for, output: flags.output, timeoutMs: timeoutMs(flags), signal };
  // A stopped command did not reach its goal.
  shell.exitCode(EXIT_CODES.notReady);
  try {
    const inFleet = await fleetTargets(objects, flags, shell);
    const others = objects.filter((_, index) => inFleet[index] === undefined);
    if (others.length === 0)
      return await runWait(
        inFleet.filter((target) => target !== undefined),
        run,
        shell,
      );
    await withCluster(shell, flags, async (session) => {
      const inCluster = (await clusterTargets(others, flags, session, shell)).values();
      const targets = inFleet.flatMap((target) => target ?? inCluster.next().value ?? []);
      await runWait([...new Set(targets)], run, shell);
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

/** Returns a target for each argument; arguments that name the same object share a target. */
async function clusterTargets(
  objects: readonly ObjectArg[],
  flags: WaitFlags,
  { cluster, client, discovery, signal }: ClusterSession,
  shell: Shell,
): Promise<readonly WaitTarget[]> {
  const kinds = await discovery.kinds({ signal });
  const namespace = flags.namespace ?? cluster.access.namespace;
  const found = objects.map(({ kind: kindName, name }) => {
    const kind = clusterKind(kindName, kinds);
    if (kind.verbs.includes("watch")) return { kind, key: objectKeyIn(kind, name, namespace) };
    throw new InputError(`cannot wait for ${kind.kind} objects: the kind does not support watch`);
  });
  const isNamespaced = found.some(({ key }) => key.namespace !== undefined);
  if (flags.output === "text") shell.stderr(`${describeCluster(cluster, isNamespaced ? namespace : undefined)}\n`);
  const { for: goal, generation, keepWaiting } = flags;
  const targets = new Map<string, WaitTarget>();
  return found.map((each) => {
    const id = JSON.stringify([kindId(each.kind), each.key]);
    const options = { ...each, goal, generation, untilRecovered: keepWaiting, flags };
    const target = targets.get(id) ?? objectTarget(client, options);
    targets.set(id, target);
    return target;
  });
}

/** Returns the targets that are kinds of the configured fleet. */
async function fleetTargets(
  objects: readonly ObjectArg[],
  flags: WaitFlags,
  shell: Shell,
): Promise<readonly (WaitTarget | undefined)[]> {
  if (!usesFleet(shell, flags)) return objects.map(() => undefined);
  // Imported only if a fleet is configured.
  const { waitTargetsInFleet } = await import("../fleet/index.ts");
  return waitTargetsInFleet(objects, flags, shell);
}
