import { isReady } from "@levelset/core";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import { describeDuration } from "../duration.ts";
import type { Span } from "../paint.ts";
import type { Shell } from "../shell.ts";
import { jsonText } from "../json-text.ts";
import { getOperand, revisionsOf } from "./operand-access.ts";
import type { LiveOperand, LiveRevision } from "./operand-access.ts";
import { table } from "../table.ts";

interface HistoryFlags extends ClusterFlags {
  readonly output: "text" | "json";
}

/** `levelset operand history NAME`: the versions of a set that became ready and can be gone back to. */
export function addHistoryCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("history")
    .argument("<name>", "how the Operand is called")
    .description("list the versions that became ready and can be gone back to");
  addClusterFlags(command)
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["text", "json"]).default("text"))
    .action(async (name: string, flags: HistoryFlags) =>
      withCluster(shell, flags, async (session) => {
        if (flags.output === "text") shell.stderr(`${describeCluster(session.asked)}\n`);
        const found = await getOperand(session, name);
        const revisions = await revisionsOf(session, found);
        if (flags.output === "json") return shell.stdout(jsonText(revisions.map(revisionJson)));
        shell.stdout(
          historyText(found, revisions, { now: shell.clock.now(), colors: shell.terminal?.colors ?? false }),
        );
      }),
    );
}

/** Versions for people, oldest first; the last one is what is installed or was before what is being installed. */
function historyText(
  operand: LiveOperand,
  revisions: readonly LiveRevision[],
  { now, colors }: { readonly now: number; readonly colors: boolean },
): string {
  const plain = (text: string): Span => ({ text, style: "plain" });
  const titles = ["GENERATION", "READY", "OBJECTS", "INVENTORY", ""].map((text): Span => ({ text, style: "strong" }));
  const rows = revisions.map(({ spec }, index) => {
    const isLast = index === revisions.length - 1;
    const mark = isLast ? (isReady(operand) ? "installed" : "the latest that was ready") : "";
    const age = `${describeDuration(now - Date.parse(spec.time))} ago`;
    return [plain(`${spec.generation}`), plain(age), plain(`${spec.objects}`), plain(spec.activeOperand), plain(mark)];
  });
  const lines =
    rows.length === 0 ? ["no version became ready so far, or none is kept"] : table([titles, ...rows], { colors });
  return lines.map((line) => `${line}\n`).join("");
}

/** Without the manifests, which may hold secrets. */
function revisionJson({ spec: { asked: _asked, ...about } }: LiveRevision): unknown {
  return about;
}
