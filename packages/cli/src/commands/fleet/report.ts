import { InputError } from "@levelset/core";
import type { Command } from "commander";
import { Option } from "commander";
import type { Shell } from "../../terminal/index.ts";
import { addFleetFlags } from "../../fleet-location/index.ts";
import type { FleetFlags } from "../../fleet-location/index.ts";
import {
  findKind,
  findParent,
  findResource,
  formatResourceArg,
  parseResourceArgs,
  withFleet,
} from "../../fleet/index.ts";
import { examples } from "../../options/index.ts";

interface ReportFlags extends FleetFlags {
  readonly in?: string;
  readonly available: "True" | "False" | "Unknown";
  readonly health: "True" | "False" | "Unknown";
  readonly generation?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly finalized?: boolean;
}

/** `levelset fleet report cluster/eu-1 dns`: sends an adapter report by hand, for tests. */
export function addFleetReportCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("report")
    .argument("<resource>", "KIND/NAME, e.g. cluster/eu-1")
    .argument("<adapter>", "name of the adapter, e.g. dns")
    .description("send an adapter report for a resource by hand, for tests");
  addFleetFlags(command)
    .option("--in <parent>", "name of the parent")
    .addOption(
      new Option("--available <status>", "status of Available").choices(["True", "False", "Unknown"]).default("True"),
    )
    .addOption(
      new Option("--health <status>", "status of Health").choices(["True", "False", "Unknown"]).default("True"),
    )
    .option("--generation <number>", "observed generation (default: the latest)")
    .option("--reason <word>", "condition reason, one PascalCase word")
    .option("--message <text>", "condition message")
    .option("--finalized", "report that the cleanup of a deleted resource is complete")
    .addHelpText(
      "after",
      examples(
        "levelset fleet report cluster/eu-1 dns",
        "levelset fleet report cluster/eu-1 dns --available False --reason NoZone --message 'no zone'",
      ),
    )
    .action(async (word: string, adapter: string, flags: ReportFlags) => report(word, adapter, flags, shell));
}

async function report(word: string, adapter: string, flags: ReportFlags, shell: Shell): Promise<void> {
  const { kind: kindWord, names } = parseResourceArgs([word]);
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, kindWord);
    const parent = await findParent(session, kind, flags.in);
    const { resource } = await findResource(session, kind, names[0] ?? "", parent);
    const generation = generationOf(flags.generation) ?? resource.generation;
    const text = {
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
      ...(flags.message === undefined ? {} : { message: flags.message }),
    };
    const outcome = await session.client.collection(kind, parent).report(
      resource.id,
      {
        adapter,
        observed_generation: generation,
        observed_time: new Date(shell.clock.now()).toISOString(),
        conditions: [
          { type: "Available", status: flags.available, ...text },
          { type: "Applied", status: "True" },
          { type: "Health", status: flags.health, ...(flags.health === "True" ? {} : text) },
          ...(flags.finalized === true ? [{ type: "Finalized", status: "True" } as const] : []),
        ],
      },
      { signal: session.signal },
    );
    const reported = `${formatResourceArg(resource)}: ${adapter} reported Available=${flags.available} at generation ${generation}`;
    shell.stdout(`${reported}${outcome === "kept" ? "" : "; the conditions are unchanged"}\n`);
  });
}

function generationOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,9}$/u.test(text)) return text === undefined ? undefined : Number(text);
  throw new InputError(`--generation: ${JSON.stringify(text)} is not a whole number of at least 1`);
}
