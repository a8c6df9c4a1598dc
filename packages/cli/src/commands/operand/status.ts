import { isAbortError, isReady } from "@levelset/core";
import { inspectOperand } from "@levelset/operator/internal";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, repeatOnChange, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags, ClusterSession } from "../../cluster/index.ts";
import { EXIT_CODES } from "../../process/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { jsonText, TerminalFrame } from "../../terminal/index.ts";
import { getOperand, isObserved, NOT_OBSERVED, operandInformer, statusLine, statusText } from "../../operand/index.ts";
import type { LiveOperand, OperandStatus } from "../../operand/index.ts";
import { examples, outputOption } from "../../options/index.ts";

interface StatusFlags extends ClusterFlags {
  readonly watch?: boolean;
  readonly all?: boolean;
  readonly output: "text" | "json";
}

/** Delay until a hint about a missing controller is printed. */
const HINT_AFTER_MS = 5_000;

/** `levelset operand status NAME`: prints the progress of an Operand and what it waits for. */
export function addOperandStatusCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("status")
    .argument("<name>", "name of the Operand")
    .description("show the progress of an Operand and the objects that block it");
  addClusterFlags(command)
    .option("--watch", "watch until it is Ready: progress bars on a terminal, else lines")
    .option("--all", "also list objects that are Ready")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", "\nExit codes: 0 Ready, 3 not Ready, 2 wrong argument, 1 any other error.")
    .addHelpText("after", examples("levelset operand status shop", "levelset operand status shop --watch"))
    .action(async (name: string, flags: StatusFlags) => status(name, flags, shell));
}

async function status(name: string, flags: StatusFlags, shell: Shell): Promise<void> {
  try {
    await withCluster(shell, flags, async (session) => {
      if (flags.output === "text") shell.stderr(`${describeCluster(session.cluster)}\n`);
      // A stopped watch did not see the object become Ready.
      shell.exitCode(EXIT_CODES.notReady);
      await (flags.watch === true ? watch(name, flags, session, shell) : printOnce(name, flags, session, shell));
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

async function inspect(operand: LiveOperand, session: ClusterSession, shell: Shell): Promise<OperandStatus> {
  return { operand, inspection: await inspectOperand(operand, { ...session, clock: shell.clock }) };
}

async function printOnce(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const view = await inspect(await getOperand(session, name), session, shell);
  shell.stdout(flags.output === "json" ? jsonText(viewJson(view)) : text(view, flags, shell));
  if (isReady(view.operand)) shell.exitCode(EXIT_CODES.ok);
}

/** Prints the state after each change until the Operand is Ready. A terminal is redrawn in place. */
async function watch(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const { terminal, clock, stderr } = shell;
  // Explains a name or a kind that does not exist.
  let operand = await getOperand(session, name);
  const informer = operandInformer(name, session);
  const frame = terminal === undefined || flags.output === "json" ? undefined : new TerminalFrame(shell.stdout);
  const timer = clock.after(HINT_AFTER_MS, () => {
    if (frame === undefined && !isObserved(operand)) stderr(`${NOT_OBSERVED}\n`);
  });
  let last = "";
  try {
    await repeatOnChange([{ informer }], { signal: session.signal, stderr }, async () => {
      operand = informer.get({ name }) ?? (await getOperand(session, name));
      const output = lineOrFrame(await inspect(operand, session, shell), flags, shell);
      if (output !== last && frame !== undefined) frame.draw(output);
      else if (output !== last) shell.stdout(output);
      last = output;
      return isReady(operand);
    });
    shell.exitCode(EXIT_CODES.ok);
  } finally {
    timer.cancel();
  }
}

function lineOrFrame(view: OperandStatus, flags: StatusFlags, shell: Shell): string {
  if (flags.output === "json") return jsonText(viewJson(view));
  if (shell.terminal !== undefined) return text(view, flags, shell);
  return `${statusLine(view, { colors: false, all: false })}\n`;
}

function text(view: OperandStatus, flags: StatusFlags, { terminal }: Shell): string {
  const colors = terminal?.colors ?? false;
  return statusText(view, { colors, columns: terminal?.columns, all: flags.all === true });
}

/** Converts a status to JSON without manifests, and so without secrets. */
function viewJson({ operand, inspection }: OperandStatus): unknown {
  const { name, generation } = operand.metadata;
  return { name, generation, isReady: isReady(operand), status: operand.status ?? {}, ...inspection };
}
