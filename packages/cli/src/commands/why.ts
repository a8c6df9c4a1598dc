import { InputError, isAbort, parseApiVersion } from "@levelset/core";
import { refTo, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef, Records, WhyOptions, WhySources } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { clusterKind } from "../cluster-kind.ts";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import { explainText } from "../explain-text.ts";
import { EXIT } from "../failure.ts";
import { keyIn, parseObjectWord } from "../object-word.ts";
import type { ObjectWord } from "../object-word.ts";
import { addFleetFlags, findFleet } from "../fleet-flags.ts";
import { askForRuns, describeProcess, findProcesses, isAbout } from "../run-process.ts";
import type { ProcessFlags, RunProcess } from "../run-process.ts";
import type { Shell } from "../shell.ts";

interface WhyFlags extends ProcessFlags, ClusterFlags {
  readonly fleet?: string;
  readonly fleetTokenFile?: string;
  readonly in?: string;
  readonly namespace?: string;
  readonly output: "text" | "json";
  readonly allKinds?: boolean;
  readonly watch?: boolean;
}

/** How often `--watch` looks again. */
const LOOK_AGAIN_MS = 1_000;

/** `levelset why OBJECT`: why an object is not ready, down to the object that has a reason of its own. */
export function addWhyCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("why")
    .argument("<object...>", "KIND/NAME or KIND NAME; the kind by any name that kubectl takes, or a kind of a fleet")
    .description("explain why an object, or a fleet's resource, is not ready, down to what it waits for")
    .option("-n, --namespace <name>", "where the object is (default: the namespace of the context)");
  addClusterFlags(command)
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["text", "json"]).default("text"))
    .option("--all-kinds", "look for children among objects of every kind; slower")
    .option("--watch", "answer again whenever the answer changes, until the object is ready")
    .option("--url <address>", "an operator to ask for its runs (default: those on this machine)")
    .option("--token-file <file>", "a file with the bearer token for --url");
  addFleetFlags(command)
    .option("--in <parent>", "for a fleet's resource: the parent, by its name")
    .addHelpText(
      "after",
      "\nA kind of a fleet that is known here (--fleet, LEVELSET_FLEET_URL, a fleet of this directory)\ngoes before one of Kubernetes; --kubeconfig, --context and -n are about Kubernetes only.",
    )
    .addHelpText("after", "\nExit codes: 0 ready, 3 not ready, 2 a wrong argument, 1 anything else.")
    .action(async (words: readonly string[], flags: WhyFlags) => answer(parseObjectWord(words), flags, shell));
}

async function answer(word: ObjectWord, flags: WhyFlags, shell: Shell): Promise<void> {
  try {
    if (await answeredByFleet(word, flags, shell)) return;
    await withCluster(shell, flags, async ({ asked, client, discovery, signal }) => {
      const { access } = asked;
      const processes = (await findProcesses(flags, shell)).filter((process) => isAbout(process, access.server));
      // Whoever stops to wait has not seen it ready.
      shell.exitCode(EXIT.notReady);
      const kinds = await discovery.kinds({ signal });
      const kind = clusterKind(word.kind, kinds);
      const ref = refTo(kind, keyIn(kind, word.name, flags.namespace ?? access.namespace));
      if (flags.output === "text") shell.stderr(`${describeCluster(asked, ref.namespace)}\n`);
      const records = recordsFrom(processes, shell, signal);
      const options = { allKinds: flags.allKinds === true, signal };
      await tell(ref, { sources: { client, discovery, records }, options, flags }, shell);
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

/** Asks the fleet that is known here, if it has such a kind. */
async function answeredByFleet(word: ObjectWord, flags: WhyFlags, shell: Shell): Promise<boolean> {
  const isKubernetes = [flags.kubeconfig, flags.context, flags.namespace].some((flag) => flag !== undefined);
  if (findFleet(shell, flags) === undefined || (isKubernetes && flags.fleet === undefined)) return false;
  // Only where there is a fleet: most have none.
  const { whyInFleet } = await import("../fleet/index.ts");
  return whyInFleet(word, flags, shell);
}

interface Question {
  readonly sources: WhySources;
  readonly options: WhyOptions & { readonly signal: AbortSignal };
  readonly flags: WhyFlags;
}

/** Prints the answer; with `--watch` whenever it changes. */
async function tell(ref: ObjectRef, { sources, options, flags }: Question, shell: Shell): Promise<void> {
  let last = "";
  for (;;) {
    const node = await why(ref, sources, options);
    checkThere(node);
    const state = JSON.stringify(node);
    if (state !== last) shell.stdout(`${last === "" ? "" : "\n"}${printed(node, flags, shell)}`);
    last = state;
    if (node.state === "ready") return shell.exitCode(EXIT.ok);
    if (flags.watch !== true) return;
    await shell.clock.sleep(LOOK_AGAIN_MS, options.signal);
  }
}

function printed(node: ObjectNode, { output }: WhyFlags, { clock, terminal }: Shell): string {
  if (output === "json") return `${JSON.stringify(node, undefined, 2)}\n`;
  return explainText(node, { now: clock.now(), columns: terminal?.columns, colors: terminal?.colors ?? false });
}

/** What is asked about must be there; of what it depends on, the answer may be that it is not. */
function checkThere({ state, kind, name, namespace, message }: ObjectNode): void {
  const where = namespace === undefined ? "" : ` in the namespace ${namespace}`;
  if (state === "missing") {
    throw new InputError(`there is no ${kind} ${JSON.stringify(name)}${where}`, {
      hint: namespace === undefined ? "check the name" : "check the name, or name another namespace with -n",
    });
  }
  if (state === "unreadable") throw new InputError(`${kind} ${JSON.stringify(name)}${where} ${message}`);
}

/** What processes have recorded about objects. One that does not tell is complained about once. */
function recordsFrom(
  processes: readonly RunProcess[],
  shell: Shell,
  signal: AbortSignal,
): (ref: ObjectRef) => Promise<Records> {
  const complaints = new Set<string>();
  return async (ref) => {
    const { group } = parseApiVersion(ref.apiVersion);
    const { told, silent } = await askForRuns(processes, ref, { clock: shell.clock, signal });
    for (const { process, why: reason } of silent) {
      if (!complaints.has(process.url)) shell.stderr(`${describeProcess(process)} does not tell its runs: ${reason}\n`);
      complaints.add(process.url);
    }
    const owner = told
      .flatMap(({ controllers }) => controllers)
      .find((each) => each.kind === ref.kind && each.group === group);
    const runs = told.flatMap((each) => each.runs).filter(({ controller }) => controller === owner?.name);
    return { runs, owns: owner?.owns };
  };
}
