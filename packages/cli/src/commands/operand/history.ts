import { isReady } from "@levelset/core";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags } from "../../cluster/index.ts";
import { describeDuration, formatTable, jsonText } from "../../terminal/index.ts";
import type { Shell, StyledText } from "../../terminal/index.ts";
import { getOperand, revisionsOf } from "../../operand/index.ts";
import type { LiveOperand, LiveRevision } from "../../operand/index.ts";
import { examples, outputOption } from "../../options/index.ts";

interface HistoryFlags extends ClusterFlags {
  readonly output: "text" | "json";
}

/** `levelset operand history NAME`: lists the versions that became Ready and can be rolled back to. */
export function addOperandHistoryCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("history")
    .argument("<name>", "name of the Operand")
    .description("list the versions that became Ready and can be rolled back to");
  addClusterFlags(command)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples("levelset operand history shop"))
    .action(async (name: string, flags: HistoryFlags) =>
      withCluster(shell, flags, async (session) => {
        if (flags.output === "text") shell.stderr(`${describeCluster(session.cluster)}\n`);
        const found = await getOperand(session, name);
        const revisions = await revisionsOf(session, found);
        if (flags.output === "json") return shell.stdout(jsonText(revisions.map(revisionJson)));
        shell.stdout(
          historyText(found, revisions, { now: shell.clock.now(), colors: shell.terminal?.colors ?? false }),
        );
      }),
    );
}

/** Formats versions as a table, oldest first; the last row is the latest version that became Ready. */
function historyText(
  operand: LiveOperand,
  revisions: readonly LiveRevision[],
  { now, colors }: { readonly now: number; readonly colors: boolean },
): string {
  const plain = (text: string): StyledText => ({ text, style: "plain" });
  const titles = ["GENERATION", "READY", "OBJECTS", "INVENTORY", ""].map((text): StyledText => ({
    text,
    style: "strong",
  }));
  const rows = revisions.map(({ spec }, index) => {
    const isLast = index === revisions.length - 1;
    const mark = isLast ? (isReady(operand) ? "installed" : "latest Ready version") : "";
    const age = `${describeDuration(now - Date.parse(spec.time))} ago`;
    return [plain(`${spec.generation}`), plain(age), plain(`${spec.objects}`), plain(spec.activeOperand), plain(mark)];
  });
  const lines =
    rows.length === 0
      ? ["no version has become Ready yet, or none is retained"]
      : formatTable([titles, ...rows], { colors });
  return lines.map((line) => `${line}\n`).join("");
}

/** Omits the manifests, which may contain secrets. */
function revisionJson({ spec: { asked: _asked, ...about } }: LiveRevision): unknown {
  return about;
}
