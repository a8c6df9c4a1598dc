import { apiVersionOf, deepEqual, InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { Operand, redacted } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, clusterWords, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { formatYaml } from "../yaml.ts";
import { addSetFlags, askedSpec, NO_CLUSTER } from "./asked-spec.ts";
import type { SetFlags } from "./asked-spec.ts";
import { jsonText } from "../json-text.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { askFor, findOperand } from "./operand-access.ts";
import { waitForOperand } from "./wait-operand.ts";

interface CreateFlags extends SetFlags, ClusterFlags, WaitFlag {
  readonly dryRun?: "client" | "server";
  readonly output?: "yaml" | "json";
  readonly showSecrets?: boolean;
  readonly forceConflicts?: boolean;
}

/** `levelset operand create NAME`: makes an Operand of manifests, or changes the one that is there. */
export function addCreateCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("create")
    .argument("<name>", "how the Operand is called")
    .description("make an Operand of manifests, or change the one of that name");
  addWaitFlag(addClusterFlags(addSetFlags(command)), "the Operand is ready for what is asked for")
    .addOption(
      new Option("--dry-run [where]", "write nothing: check here (client), or ask the cluster too (server)")
        .choices(["client", "server"])
        .preset("client"),
    )
    .addOption(new Option("-o, --output <format>", "print the Operand").choices(["yaml", "json"]))
    .option("--show-secrets", "with -o: print what Secrets hold")
    .option("--force-conflicts", "take fields of the Operand that somebody else has set")
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (name: string, flags: CreateFlags) => create(name, flags, shell));
}

async function create(name: string, flags: CreateFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  if (flags.wait === true && flags.dryRun !== undefined) throw new InputError("--wait has no meaning with --dry-run");
  if (flags.dryRun === "client") {
    const { signal } = new AbortController();
    const spec = await askedSpec(flags, shell, { kinds: NO_CLUSTER, signal });
    const object = { apiVersion: apiVersionOf(Operand), kind: Operand.kind, metadata: { name }, spec };
    return tell(name, object, "checked", flags, shell);
  }
  await withCluster(shell, flags, async (session) => {
    if (flags.output === undefined) shell.stderr(`${describeCluster(session.asked)}\n`);
    const spec = await askedSpec(flags, shell, { kinds: session.discovery, signal: session.signal });
    const before = await findOperand(session, name);
    const dryRun = flags.dryRun === "server";
    const after = await askFor(session, name, spec, { dryRun, force: flags.forceConflicts === true });
    const isSame = before?.metadata.generation === after.metadata.generation;
    const done = before === undefined ? "created" : isSame ? "unchanged" : "configured";
    // Objects are JSON; interfaces only lack the index signature.
    tell(name, shown(after as unknown as JsonObject), done, flags, shell);
    if (flags.wait !== true) return;
    const { terminal: _, ...plain } = shell;
    // What -o prints is for a program; so the result of the wait goes where progress goes.
    await waitForOperand(
      after,
      session,
      flags,
      flags.output === undefined ? shell : { ...plain, stdout: shell.stderr },
    );
  });
}

/** An Operand without what only servers care about. */
function shown(operand: JsonObject): JsonObject {
  const { metadata } = operand;
  if (!isJsonObject(metadata)) return operand;
  const { managedFields: _managed, ...rest } = metadata;
  return { ...operand, metadata: rest };
}

function tell(name: string, object: JsonObject, done: string, flags: CreateFlags, shell: Shell): void {
  const { dryRun, output, showSecrets = false } = flags;
  if (output !== undefined) {
    const printed: JsonValue = showSecrets ? object : redacted(object);
    if (!showSecrets && !deepEqual(printed, object)) {
      shell.stderr("levelset: warning: what Secrets hold is masked; --show-secrets prints it\n");
    }
    return shell.stdout(output === "json" ? jsonText(printed) : formatYaml([printed]));
  }
  const suffix = dryRun === undefined ? "" : ` (dry run: ${dryRun})`;
  shell.stdout(`operand/${name} ${done}${suffix}\n`);
  if (dryRun !== undefined || done === "unchanged" || flags.wait === true) return;
  shell.stdout(`Try: levelset operand status ${name} --watch${clusterWords(flags)}\n`);
}
