import { InputError } from "@levelset/core";
import type { Command } from "commander";
import { Option } from "commander";
import type { Shell } from "../shell.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import { findKind, findParent, findResource, parseResourceWords, resourceWord } from "./resource-word.ts";

interface ReportFlags extends FleetFlags {
  readonly in?: string;
  readonly available: "True" | "False" | "Unknown";
  readonly health: "True" | "False" | "Unknown";
  readonly generation?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly finalized?: boolean;
}

/** `levelset fleet report cluster/eu-1 dns`: reports by hand as an adapter would, to try things out. */
export function addReportCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("report")
    .argument("<resource>", "KIND/NAME: cluster/eu-1")
    .argument("<adapter>", "in whose name: dns")
    .description("report on a resource as an adapter does, to try things out");
  addFleetFlags(command)
    .option("--in <parent>", "the parent, by its name")
    .addOption(
      new Option("--available <status>", "its verdict; Unknown is work under way")
        .choices(["True", "False", "Unknown"])
        .default("True"),
    )
    .addOption(
      new Option("--health <status>", "whether it could judge").choices(["True", "False", "Unknown"]).default("True"),
    )
    .option("--generation <number>", "the generation that it speaks of (default: the latest)")
    .option("--reason <word>", "why, in one word")
    .option("--message <text>", "why, for people")
    .option("--finalized", "that a deletion has been dealt with")
    .action(async (word: string, adapter: string, flags: ReportFlags) => report(word, adapter, flags, shell));
}

async function report(word: string, adapter: string, flags: ReportFlags, shell: Shell): Promise<void> {
  const { kind: kindWord, names } = parseResourceWords([word]);
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, kindWord);
    const parent = await findParent(session, kind, flags.in);
    const { resource } = await findResource(session, kind, names[0] ?? "", parent);
    const generation = generationOf(flags.generation) ?? resource.generation;
    const words = {
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
          { type: "Available", status: flags.available, ...words },
          { type: "Applied", status: "True" },
          { type: "Health", status: flags.health, ...(flags.health === "True" ? {} : words) },
          ...(flags.finalized === true ? [{ type: "Finalized", status: "True" } as const] : []),
        ],
      },
      { signal: session.signal },
    );
    const told = `${resourceWord(resource)}: ${adapter} reported Available=${flags.available} at generation ${generation}`;
    shell.stdout(`${told}${outcome === "kept" ? "" : "; it changes no verdict"}\n`);
  });
}

function generationOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,9}$/u.test(text)) return text === undefined ? undefined : Number(text);
  throw new InputError(`--generation: ${JSON.stringify(text)} is not a whole number from 1`);
}
