import { InputError, isAbortError } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import { refTo, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef, WhyOptions, WhySources } from "@levelset/operator";
import type { ObjectRunRecords } from "@levelset/operator/internal";
import type { Command } from "commander";
import {
  addClusterFlags,
  addFleetFlags,
  clusterKind,
  describeCluster,
  usesFleet,
  objectKeyIn,
  parseObjectArg,
  withCluster,
} from "../cluster/index.ts";
import type { ClusterFlags, FleetFlags, ObjectArg } from "../cluster/index.ts";
import { explainText } from "../explain/index.ts";
import { describeProcess, EXIT_CODES, fetchRuns, findProcesses, worksOnCluster } from "../process/index.ts";
import type { ProcessFlags, RunProcess } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";
import { examples, outputOption } from "../options/index.ts";

interface WhyFlags extends ProcessFlags, ClusterFlags, FleetFlags {
  readonly in?: string;
  readonly namespace?: string;
  readonly output: "text" | "json";
  readonly allKinds?: boolean;
  readonly watch?: boolean;
}

/** Poll interval of `--watch`. */
const POLL_MS = 1_000;

/** `levelset why OBJECT`: explains why an object is not Ready, down to the root cause. */
export function addWhyCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("why")
    .argument("<object...>", "KIND/NAME or KIND NAME; KIND as in kubectl, or a fleet kind")
    .description("explain why an object or fleet resource is not Ready, to the root cause")
    .option("-n, --namespace <name>", "namespace of the object (default: that of the context)");
  addClusterFlags(command)
    .addOption(outputOption("text", "json"))
    .option("--all-kinds", "search objects of every kind for children; slower")
    .option("--watch", "print each change of the explanation until the object is Ready")
    .option("--url <address>", "URL of the operator (default: operators on this machine)")
    .option("--token-file <file>", "file with the bearer token for --url");
  addFleetFlags(command)
    .option("--in <parent>", "name of the parent of a fleet resource")
    .addHelpText(
      "after",
      "\nIf a fleet is configured (--fleet, LEVELSET_FLEET_URL, a fleet of this directory), its kinds take\nprecedence over Kubernetes kinds; --kubeconfig, --context and -n apply to Kubernetes objects only.",
    )
    .addHelpText("after", "\nExit codes: 0 Ready, 3 not Ready, 2 wrong argument, 1 any other error.")
    .addHelpText(
      "after",
      examples(
        "levelset why simple/ten-by-five",
        "levelset why deployment web -n shop --watch",
        "levelset why nodepool/blue --in eu-1   # in a fleet",
      ),
    )
    .action(async (args: readonly string[], flags: WhyFlags) => explain(parseObjectArg(args), flags, shell));
}

async function explain(object: ObjectArg, flags: WhyFlags, shell: Shell): Promise<void> {
  try {
    if (await explainInFleet(object, flags, shell)) return;
    await withCluster(shell, flags, async ({ cluster, client, discovery, signal }) => {
      const { access } = cluster;
      const processes = (await findProcesses(flags, shell)).filter((process) => worksOnCluster(process, access.server));
      // A stopped watch did not see the object become Ready.
      shell.exitCode(EXIT_CODES.notReady);
      const kinds = await discovery.kinds({ signal });
      const kind = clusterKind(object.kind, kinds);
      const ref = refTo(kind, objectKeyIn(kind, object.name, flags.namespace ?? access.namespace));
      if (flags.output === "text") shell.stderr(`${describeCluster(cluster, ref.namespace)}\n`);
      const records = recordsFrom(processes, shell, signal);
      const options = { allKinds: flags.allKinds === true, signal };
      await printExplanation(ref, { sources: { client, discovery, records }, options, flags }, shell);
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

/** Explains the resource if the configured fleet has its kind; returns whether it did. */
async function explainInFleet(object: ObjectArg, flags: WhyFlags, shell: Shell): Promise<boolean> {
  if (!usesFleet(shell, flags)) return false;
  // Imported only if a fleet is configured.
  const { whyInFleet } = await import("../fleet/index.ts");
  return whyInFleet(object, flags, shell);
}

interface Query {
  readonly sources: WhySources;
  readonly options: WhyOptions & { readonly signal: AbortSignal };
  readonly flags: WhyFlags;
}

/** Prints the explanation; with `--watch` after each change. */
async function printExplanation(ref: ObjectRef, query: Query, shell: Shell): Promise<void> {
  const { sources, options, flags } = query;
  let last = "";
  for (;;) {
    const node = await why(ref, sources, options);
    checkExists(node);
    const state = JSON.stringify(node);
    if (state !== last) shell.stdout(`${last === "" ? "" : "\n"}${format(node, flags, shell)}`);
    last = state;
    if (node.state === "ready") return shell.exitCode(EXIT_CODES.ok);
    if (flags.watch !== true) return;
    await shell.clock.sleep(POLL_MS, options.signal);
  }
}

function format(node: ObjectNode, { output }: WhyFlags, { clock, terminal }: Shell): string {
  if (output === "json") return `${JSON.stringify(node, undefined, 2)}\n`;
  const { columns, colors = false } = terminal ?? {};
  return explainText(node, { now: clock.now(), columns, colors });
}

/** Throws an InputError if the object itself does not exist. Missing dependencies are part of the explanation. */
function checkExists({ state, kind, name, namespace, message }: ObjectNode): void {
  const where = namespace === undefined ? "" : ` in the namespace ${namespace}`;
  if (state === "missing") {
    throw new InputError(`there is no ${kind} ${JSON.stringify(name)}${where}`, {
      hint: namespace === undefined ? "check the name" : "check the name, or pass another namespace with -n",
    });
  }
  if (state === "unreadable") throw new InputError(`${kind} ${JSON.stringify(name)}${where} ${message}`);
}

/** Reads run records from operator processes. Warns once about each process that cannot be queried. */
function recordsFrom(
  processes: readonly RunProcess[],
  shell: Shell,
  signal: AbortSignal,
): (ref: ObjectRef) => Promise<ObjectRunRecords> {
  const reported = new Set<string>();
  return async (ref) => {
    const { group } = parseApiVersion(ref.apiVersion);
    const { responses, unreachable } = await fetchRuns(processes, ref, { clock: shell.clock, signal });
    for (const { process, why: reason } of unreachable) {
      if (!reported.has(process.url))
        shell.stderr(`${describeProcess(process)} cannot be queried for runs: ${reason}\n`);
      reported.add(process.url);
    }
    const owner = responses
      .flatMap(({ controllers }) => controllers)
      .find((each) => each.kind === ref.kind && each.group === group);
    const runs = responses.flatMap((each) => each.runs).filter(({ controller }) => controller === owner?.name);
    return { runs, owns: owner?.owns };
  };
}
