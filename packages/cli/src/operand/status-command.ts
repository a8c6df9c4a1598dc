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
import { getOperand } from "./operand-access.ts";
import { headline, isSeen, statusText, UNSEEN } from "./status-text.ts";
import type { OperandView } from "./status-text.ts";

interface StatusFlags extends ClusterFlags {
  readonly watch?: boolean;
  readonly all?: boolean;
  readonly output: "text" | "json";
}

/** How often `--watch` looks again. */
const LOOK_AGAIN_MS = 500;
/** After so many looks at what nobody works on somebody may wonder. */
const PATIENCE_LOOKS = 10;

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

/** The state of things. While the Operand says nothing new, its objects are not looked at again. */
async function look(name: string, session: ClusterSession, shell: Shell, known?: OperandView): Promise<OperandView> {
  const operand = await getOperand(session, name);
  if (known?.operand.metadata.resourceVersion === operand.metadata.resourceVersion) return known;
  return { operand, inspection: await inspectOperand(operand, { ...session, clock: shell.clock }) };
}

async function tellOnce(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const view = await look(name, session, shell);
  shell.stdout(flags.output === "json" ? jsonText(viewJson(view)) : text(view, flags, shell));
  if (isReady(view.operand)) shell.exitCode(EXIT.ok);
}

/** Tells whenever something changed, until the set is ready. On a terminal it is drawn over what was told before. */
async function follow(name: string, flags: StatusFlags, session: ClusterSession, shell: Shell): Promise<void> {
  const { terminal, clock } = shell;
  const frame = terminal === undefined ? undefined : new Frame(shell.stdout);
  let last = "";
  let view: OperandView | undefined;
  for (let looks = 0; ; looks++) {
    view = await look(name, session, shell, view);
    const said = lineOrFrame(view, flags, shell);
    if (said !== last && frame !== undefined && flags.output === "text") frame.draw(said);
    else if (said !== last) shell.stdout(said);
    last = said;
    if (looks === PATIENCE_LOOKS && frame === undefined && !isSeen(view.operand)) shell.stderr(`${UNSEEN}\n`);
    if (isReady(view.operand)) return shell.exitCode(EXIT.ok);
    await clock.sleep(LOOK_AGAIN_MS, session.signal);
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
