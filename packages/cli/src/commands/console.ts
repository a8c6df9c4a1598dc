import type { Command } from "commander";
import { addClusterFlags } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { openConsole } from "../console.ts";
import type { Shell } from "../shell.ts";
import { parsePort } from "./apiserver.ts";

interface ConsoleFlags extends ClusterFlags, FleetFlags {
  readonly port: number;
  readonly allowActions?: boolean;
}

/** `levelset console`: a web page on this machine that shows objects, sets, a fleet and their operators, live. */
export function addConsoleCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("console")
    .description("look at objects, sets, a fleet and their operators in a browser, live")
    .option(
      "--port <number>",
      "the port to listen on (default: the one that it had here before, or a free one)",
      parsePort,
      0,
    )
    .option("--allow-actions", "let pages edit, delete, suspend, resume and roll back (default: they only look)");
  addFleetFlags(addClusterFlags(command)).action(async (flags: ConsoleFlags) => {
    const signal = shell.signal();
    await using running = await openConsole(flags, shell);
    shell.stdout(`levelset: the console\n\n${running.about.map((line) => `  ${line}\n`).join("")}\n`);
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (!signal.aborted) await promise;
  });
}
