import { InputError, isAbortError } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import { refTo, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import type { ObjectRunRecords } from "@levelset/operator/internal";
import type { Command } from "commander";
import {
  addClusterFlags,
  clusterKind,
  describeCluster,
  objectKeyIn,
  parseObjectArg,
  withCluster,
} from "../cluster/index.ts";
import type { ClusterFlags, ObjectArg } from "../cluster/index.ts";
import { addFleetFlags, usesFleet } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import { explainText } from "../explain/index.ts";
import { describeProcess, EXIT_CODES, fetchRuns, findProcesses, worksOnCluster } from "../process/index.ts";
import type { ProcessFlags, RunProcess } from "../process/index.ts";
import { jsonText } from "../terminal/index.ts";
import type { LineOptions, Shell } from "../terminal/index.ts";
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
      const sources = { client, discovery, records: recordsFrom(processes, shell, signal) };
      const explainOnce = async (): Promise<Explanation> => {
        const node = await why(ref, sources, { allKinds: flags.allKinds === true, signal });
        checkExists(node);
        return { isReady: node.state === "ready", document: node, text: explainText(node, textOptions(shell)) };
      };
      await printExplanation(explainOnce, { flags, signal }, shell);
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

/** Explains the resource if the configured fleet has its kind; returns whether it did. */
async function explainInFleet(object: ObjectArg, flags: WhyFlags, shell: Shell): Promise<boolean> {
  if (!usesFleet(shell, flags)) return false;
  // Imported only if a fleet is configured.
  const { explainResource, findParent, findResource, matchKind, whyText, withFleet } =
    await import("../fleet/index.ts");
  return withFleet(shell, flags, async (session) => {
    const { client, kinds, signal } = session;
    const kind = matchKind(kinds, object.kind);
    if (kind === undefined) return false;
    shell.exitCode(EXIT_CODES.notReady);
    const parent = await findParent(session, kind, flags.in);
    const collection = client.collection(kind, parent);
    const explainOnce = async (): Promise<Explanation> => {
      const { resource } = await findResource(session, kind, object.name, parent);
      const explanation = await explainResource({ kind, resource, collection, signal }, session);
      return { isReady: explanation.isReady, document: explanation, text: whyText(explanation, textOptions(shell)) };
    };
    await printExplanation(explainOnce, { flags, signal }, shell);
    return true;
  });
}

/** The explanation of an object or fleet resource. */
interface Explanation {
  readonly isReady: boolean;
  /** Printed with `-o json`. Another document is a change. */
  readonly document: unknown;
  /** Contains ages, which change with time. */
  readonly text: string;
}

/** Prints the explanation; with `--watch` after each change other than elapsed time. */
async function printExplanation(
  explainOnce: () => Promise<Explanation>,
  { flags, signal }: { readonly flags: WhyFlags; readonly signal: AbortSignal },
  shell: Shell,
): Promise<void> {
  for (let last = ""; ; await shell.clock.sleep(POLL_MS, signal)) {
    const { isReady, document, text } = await explainOnce();
    const state = jsonText(document);
    if (state !== last) shell.stdout(`${last === "" ? "" : "\n"}${flags.output === "json" ? state : text}`);
    last = state;
    if (isReady) return shell.exitCode(EXIT_CODES.ok);
    if (flags.watch !== true) return;
  }
}

function textOptions({ clock, terminal }: Shell): LineOptions & { readonly now: number } {
  return { now: clock.now(), columns: terminal?.columns, colors: terminal?.colors ?? false };
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
