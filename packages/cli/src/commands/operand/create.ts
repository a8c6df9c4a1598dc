import { apiVersionOf, InputError, isJsonObject } from "@levelset/core";
import { deepEqual, redactSecrets } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { Operand } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, clusterFlagsText, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags } from "../../cluster/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { formatYaml } from "../../yaml/index.ts";
import {
  addSetFlags,
  applyOperand,
  findOperand,
  OFFLINE_KINDS,
  specFromFlags,
  waitForOperand,
} from "../../operand/index.ts";
import type { SetFlags } from "../../operand/index.ts";
import { jsonText } from "../../terminal/index.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../../wait/index.ts";
import type { WaitFlag } from "../../wait/index.ts";
import { examples } from "../../options/index.ts";

interface CreateFlags extends SetFlags, ClusterFlags, WaitFlag {
  readonly dryRun?: "client" | "server";
  readonly output?: "yaml" | "json";
  readonly showSecrets?: boolean;
  readonly forceConflicts?: boolean;
}

/** `levelset operand create NAME`: creates or updates an Operand from manifests. */
export function addOperandCreateCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("create")
    .argument("<name>", "name of the Operand")
    .description("create or update an Operand from manifests");
  addWaitFlag(addClusterFlags(addSetFlags(command)), "the Operand is Ready at the written generation")
    .addOption(
      new Option("--dry-run [where]", "validate without writing").choices(["client", "server"]).preset("client"),
    )
    .addOption(new Option("-o, --output <format>", "output format of the Operand").choices(["yaml", "json"]))
    .option("--show-secrets", "print the data of Secrets, with -o")
    .option("--force-conflicts", "take over Operand fields that another field manager owns")
    .addHelpText("after", WAIT_EXIT_CODES)
    .addHelpText(
      "after",
      examples(
        "levelset operand create shop -f manifests/ -n shop --wait",
        "levelset operand create shop -f manifests/ --post-install after/ --prune confirm",
        "kubectl kustomize overlays/eu | levelset operand create shop -f - --dry-run=server -o yaml",
      ),
    )
    .action(async (name: string, flags: CreateFlags) => create(name, flags, shell));
}

async function create(name: string, flags: CreateFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  if (flags.wait === true && flags.dryRun !== undefined) throw new InputError("--wait has no effect with --dry-run");
  if (flags.dryRun === "client") {
    const { signal } = new AbortController();
    const spec = await specFromFlags(flags, shell, { kinds: OFFLINE_KINDS, signal, name });
    const object = { apiVersion: apiVersionOf(Operand), kind: Operand.kind, metadata: { name }, spec };
    return printOperand(name, object, "checked", flags, shell);
  }
  await withCluster(shell, flags, async (session) => {
    if (flags.output === undefined) shell.stderr(`${describeCluster(session.cluster)}\n`);
    const spec = await specFromFlags(flags, shell, { kinds: session.discovery, signal: session.signal, name });
    const before = await findOperand(session, name);
    const dryRun = flags.dryRun === "server";
    const after = await applyOperand(session, name, spec, { dryRun, force: flags.forceConflicts === true });
    const isSame = before?.metadata.generation === after.metadata.generation;
    const done = before === undefined ? "created" : isSame ? "unchanged" : "configured";
    // Objects are JSON; interfaces only lack the index signature.
    printOperand(name, withoutManagedFields(after as unknown as JsonObject), done, flags, shell);
    if (flags.wait !== true) return;
    const { terminal: _, ...plain } = shell;
    // With -o stdout is for programs, so the result of the wait goes to stderr.
    await waitForOperand(
      after,
      session,
      flags,
      flags.output === undefined ? shell : { ...plain, stdout: shell.stderr },
    );
  });
}

/** Removes managedFields from an Operand. */
function withoutManagedFields(operand: JsonObject): JsonObject {
  const { metadata } = operand;
  if (!isJsonObject(metadata)) return operand;
  const { managedFields: _managed, ...rest } = metadata;
  return { ...operand, metadata: rest };
}

function printOperand(name: string, object: JsonObject, done: string, flags: CreateFlags, shell: Shell): void {
  const { dryRun, output, showSecrets = false } = flags;
  if (output !== undefined) {
    const printed: JsonValue = showSecrets ? object : redactSecrets(object);
    if (!showSecrets && !deepEqual(printed, object)) {
      shell.stderr("levelset: warning: Secret data is masked; pass --show-secrets to print it\n");
    }
    return shell.stdout(output === "json" ? jsonText(printed) : formatYaml([printed]));
  }
  const suffix = dryRun === undefined ? "" : ` (dry run: ${dryRun})`;
  shell.stdout(`operand/${name} ${done}${suffix}\n`);
  if (dryRun !== undefined || done === "unchanged" || flags.wait === true) return;
  shell.stdout(`Try: levelset operand status ${name} --watch${clusterFlagsText(flags)}\n`);
}
