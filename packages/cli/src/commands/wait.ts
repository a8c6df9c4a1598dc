import { InputError } from "@levelset/core";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import { addFleetFlags, findFleet } from "../fleet-flags.ts";
import { parseObjectWords } from "../object-word.ts";
import type { ObjectWord } from "../object-word.ts";
import type { Shell } from "../shell.ts";
import { addTimeoutFlag, parseWaitGeneration, runWait, timeoutMs, WAIT_GOALS } from "../wait/index.ts";
import type { TimeoutFlag, WaitGoal, WaitTarget } from "../wait/index.ts";

interface WaitFlags extends ClusterFlags, TimeoutFlag {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
  readonly in?: string;
  readonly namespace?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
  readonly output: "text" | "json";
}

/** `levelset wait OBJECT…`: waits until objects are ready for their latest generation, available, or deleted. */
export function addWaitCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("wait")
    .argument("<object...>", "KIND/NAME… or KIND NAME…; the kind by any name that kubectl takes, or a kind of a fleet")
    .description("wait until objects, or a fleet's resources, are ready for their latest generation")
    .addOption(new Option("--for <state>", "the state to wait for").choices(WAIT_GOALS).default("ready"))
    .option("--generation <number>", "ignore reads that are older than this generation", parseWaitGeneration);
  addTimeoutFlag(command).option("-n, --namespace <name>", "the namespace (default: that of the context)");
  addClusterFlags(command).addOption(
    new Option("-o, --output <format>", "how to print the result").choices(["text", "json"]).default("text"),
  );
  addFleetFlags(command)
    .option("--in <parent>", "for a fleet's resource: the parent, by its name")
    .addHelpText(
      "after",
      "\nProgress goes to stderr, the result to stdout. A terminal shows one line per object, redrawn.\nExit codes: 0 reached, 3 not reached or failed, 2 a wrong argument, 1 anything else.",
    )
    .action(async (words: readonly string[], flags: WaitFlags) => wait(parseObjectWords(words), flags, shell));
}

async function wait(words: readonly ObjectWord[], flags: WaitFlags, given: Shell): Promise<void> {
  // One signal for all: each call of `signal` listens to the process.
  const signal = given.signal();
  const shell = { ...given, signal: () => signal };
  const { for: goal, output } = flags;
  const targets = (await fleetTargets(words, flags, shell)).filter((target) => target !== undefined);
  if (targets.length < words.length) throw new InputError("objects of Kubernetes cannot be waited for yet");
  await runWait(targets, { goal, output, timeoutMs: timeoutMs(flags), signal }, shell);
}

/** The targets that the known fleet has. */
async function fleetTargets(
  words: readonly ObjectWord[],
  flags: WaitFlags,
  shell: Shell,
): Promise<readonly (WaitTarget | undefined)[]> {
  const isKubernetes = [flags.kubeconfig, flags.context, flags.namespace].some((flag) => flag !== undefined);
  if (findFleet(shell, flags) === undefined || (isKubernetes && flags.fleet === undefined)) {
    return words.map(() => undefined);
  }
  // Loaded only where a fleet is known.
  const { waitTargetsInFleet } = await import("../fleet/index.ts");
  return waitTargetsInFleet(words, flags, shell);
}
