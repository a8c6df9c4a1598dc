import { InputError, isAbort, kindId } from "@levelset/core";
import { Option } from "commander";
import type { Command } from "commander";
import { clusterKind } from "../cluster-kind.ts";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import { EXIT } from "../failure.ts";
import { addFleetFlags, findFleet } from "../fleet-flags.ts";
import { keyIn, parseObjectWords } from "../object-word.ts";
import type { ObjectWord } from "../object-word.ts";
import type { Shell } from "../shell.ts";
import { addTimeoutFlag, objectTarget, parseWaitGeneration, runWait, timeoutMs, WAIT_GOALS } from "../wait/index.ts";
import type { TimeoutFlag, WaitGoal, WaitTarget } from "../wait/index.ts";

interface WaitFlags extends ClusterFlags, TimeoutFlag {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
  readonly in?: string;
  readonly namespace?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
  readonly keepWaiting?: boolean;
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
  addTimeoutFlag(command.option("--keep-waiting", "also wait for an object that has failed to recover")).option(
    "-n, --namespace <name>",
    "the namespace (default: that of the context)",
  );
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
  const run = { goal: flags.for, output: flags.output, timeoutMs: timeoutMs(flags), signal };
  // A command that is stopped has not seen the goal reached.
  shell.exitCode(EXIT.notReady);
  try {
    const inFleet = await fleetTargets(words, flags, shell);
    const others = words.filter((_, index) => inFleet[index] === undefined);
    if (others.length === 0)
      return await runWait(
        inFleet.filter((target) => target !== undefined),
        run,
        shell,
      );
    await withCluster(shell, flags, async (session) => {
      const objects = (await clusterTargets(others, flags, session, shell)).values();
      const targets = inFleet.flatMap((target) => target ?? objects.next().value ?? []);
      await runWait([...new Set(targets)], run, shell);
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

/** A target of the cluster for each word; the same one for words that name the same object. */
async function clusterTargets(
  words: readonly ObjectWord[],
  flags: WaitFlags,
  { asked, client, discovery, signal }: ClusterSession,
  shell: Shell,
): Promise<readonly WaitTarget[]> {
  const kinds = await discovery.kinds({ signal });
  const namespace = flags.namespace ?? asked.access.namespace;
  const found = words.map(({ kind: word, name }) => {
    const kind = clusterKind(word, kinds);
    if (kind.verbs.includes("watch")) return { kind, key: keyIn(kind, name, namespace) };
    throw new InputError(`objects of the kind ${kind.kind} cannot be watched, so the command cannot wait for them`);
  });
  const isNamespaced = found.some(({ key }) => key.namespace !== undefined);
  if (flags.output === "text") shell.stderr(`${describeCluster(asked, isNamespaced ? namespace : undefined)}\n`);
  const { for: goal, generation, keepWaiting } = flags;
  const targets = new Map<string, WaitTarget>();
  return found.map((each) => {
    const id = JSON.stringify([kindId(each.kind), each.key]);
    const wanted = { ...each, goal, generation, untilRecovered: keepWaiting, flags };
    const target = targets.get(id) ?? objectTarget(client, wanted);
    targets.set(id, target);
    return target;
  });
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
