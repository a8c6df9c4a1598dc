import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags } from "../cluster/index.ts";
import type { ClusterFlags } from "../cluster/index.ts";
import { addFleetFlags } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import { openConsole } from "../console/index.ts";
import type { Shell } from "../terminal/index.ts";
import { examples, parsePort } from "../options/index.ts";
import { whenAborted } from "@levelset/core/internal";

interface ConsoleFlags extends ClusterFlags, FleetFlags {
  readonly port: number;
  readonly allowActions?: boolean;
}

/** `levelset console`: serves the web console for objects, Operands, a fleet and operators on this machine. */
export function addConsoleCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("console")
    .description("open a live web console for objects, Operands, fleets and operators")
    .addOption(
      new Option("--port <number>", "port to listen on")
        .argParser(parsePort)
        .default(0, "the previous port, or a free one"),
    )
    .option("--allow-actions", "allow edit, delete, suspend, resume and rollback (default: read-only)");
  addFleetFlags(addClusterFlags(command))
    .addHelpText(
      "after",
      examples("levelset console", "levelset console --context staging --port 8080 --allow-actions"),
    )
    .action(async (flags: ConsoleFlags) => {
      const signal = shell.signal();
      await using running = await openConsole(flags, shell);
      shell.stdout(`levelset: the console\n\n${running.startupLines.map((line) => `  ${line}\n`).join("")}\n`);
      await whenAborted(signal);
    });
}
