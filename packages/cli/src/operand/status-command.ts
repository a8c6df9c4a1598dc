import { isAbort, isReady } from "@levelset/core";
import { inspectOperand } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import { EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { Frame } from "../frame.ts";
import { jsonText } from "../json-text.ts";
import { repeatOnChange } from "../repeat-on-change.ts";
import { getOperand, operandInformer } from "./operand-access.ts";
import type { LiveOperand } from "./operand-access.ts";
import { headline, isSeen, statusText, UNSEEN } from "./status-text.ts";
import type { OperandView } from "./status-text.ts";

interface StatusFlags extends ClusterFlags {
  readonly watch?: boolean;
  readonly all?: boolean;
  readonly output: "text" | "json";
}

/** After this time a reader may wonder why no controller has observed the Operand. */
const PATIENCE_MS = 5_000;

/** `levelset operand status NAME`: how far a set is, and what it waits for. */
export function addStatusCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("status")
    .argument("<name>", "how the Operand is called")
    .description("tell how far a set is: what is applied, ready and pruned, and what it waits for");
  addClusterFlags(command)
    .option("--watch", "go on until it is ready: bars on a terminal, lines elsewhere")
    .option("--all", "also list the objects that are ready")
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nExit codes: 0 ready, 3 not ready, 2 a wrong argument, 1 anything else.")
    .action(async (name: string, flags: StatusFlags) => status(name, flags, shell));
}

async function status(name: string, flags: StatusFlags, shell: Shell): Promise<void> {
  try {
    await withCluster(shell, flags, async (session) => {
      if (flags.output === "text") shell.stderr(`${describeCluster(session.asked)}\n`);
      // Whoever stops to wait has not seen it ready.
      shell.exitCode(EXIT.notReady);
      await (flags.watch === true ? follow(name, flags, session, shell) : tellOnce(name, flags, session, shell));
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

async function inspect(operand: LiveOperand, session: ClusterSession, shell: Shell): Promise<OperandView> {
  return { operand, inspection: await inspectOperand(operand, { ...session, clock: shell.clock }) };
}

async function tellOnce(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const view = await inspect(await getOperand(session, name), session, shell);
  shell.stdout(flags.output === "json" ? jsonText(viewJson(view)) : text(view, flags, shell));
  if (isReady(view.operand)) shell.exitCode(EXIT.ok);
}

/** Prints the state whenever the Operand changed, until the set is ready. On a terminal it is drawn over the state before. */
async function follow(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const { terminal, clock, stderr } = shell;
  // Explains a name or a kind that does not exist.
  let operand = await getOperand(session, name);
  const informer = operandInformer(name, session, shell);
  const frame = terminal === undefined || flags.output === "json" ? undefined : new Frame(shell.stdout);
  const timer = clock.after(PATIENCE_MS, () => {
    if (frame === undefined && !isSeen(operand)) stderr(`${UNSEEN}\n`);
  });
  let last = "";
  try {
    await repeatOnChange([{ informer }], { signal: session.signal, stderr }, async () => {
      operand = informer.get({ name }) ?? (await getOperand(session, name));
      const said = lineOrFrame(await inspect(operand, session, shell), flags, shell);
      if (said !== last && frame !== undefined) frame.draw(said);
      else if (said !== last) shell.stdout(said);
      last = said;
      return isReady(operand);
    });
    shell.exitCode(EXIT.ok);
  } finally {
    timer.cancel();
  }
}

function lineOrFrame(view: OperandView, flags: StatusFlags, shell: Shell): string {
  if (flags.output === "json") return jsonText(viewJson(view));
  if (shell.terminal !== undefined) return text(view, flags, shell);
  return `${headline(view, { colors: false, all: false })}\n`;
}

function text(view: OperandView, flags: StatusFlags, { terminal }: Shell): string {
  const colors = terminal?.colors ?? false;
  return statusText(view, { colors, columns: terminal?.columns, all: flags.all === true });
}

/** A status for programs: without manifests, so without secrets. */
function viewJson({ operand, inspection }: OperandView): unknown {
  const { name, generation } = operand.metadata;
  return { name, generation, isReady: isReady(operand), status: operand.status ?? {}, ...inspection };
}
