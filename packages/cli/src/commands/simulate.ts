import { availableParallelism } from "node:os";
import { InputError } from "@levelset/core";
import type { SimulationRule } from "@levelset/simulation";
import { isRule, RULES } from "@levelset/simulation/internal";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { collectOption, examples, outputOption } from "../options/index.ts";
import { interruptible } from "../process/index.ts";
import { runReplay, runSimulation, runWorker } from "../simulate/index.ts";
import type { FromWorker, OutputSettings, SimulateSettings, ToWorker } from "../simulate/index.ts";
import type { Shell } from "../terminal/index.ts";

interface SimulateOptions {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly seed?: number;
  readonly minutes?: number;
  readonly failures: number;
  readonly samples?: readonly string[];
  readonly ignore?: readonly SimulationRule[];
  readonly workers?: number;
  readonly replay?: string;
  readonly html?: string;
  readonly writeTest?: string;
  readonly force?: boolean;
  readonly output: "text" | "json";
  readonly blockedAfter: number;
  readonly worker?: boolean;
}

/** `levelset simulate FILE`: simulates the operators of a file under random histories and faults. */
export function addSimulateCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("simulate")
    .argument("<file>", "file with an operator or a simulation() as default export")
    .description("find bugs of an operator by random histories and faults")
    .option("--seeds <number>", "number of histories", parseCount, 1_000)
    .option("--first-seed <number>", "seed of the first history", parseSeed, 1)
    .addOption(
      new Option("--seed <number>", "run the history of this seed only")
        .argParser(parseSeed)
        .conflicts(["seeds", "firstSeed"]),
    )
    .option("--minutes <number>", "time limit (default: none)", parseMinutes)
    .option("--failures <number>", "number of failures after which it ends", parseCount, 1)
    .option("--samples <file>", "YAML file with objects that users create; repeatable", collectOption)
    .option("--ignore <rule>", "rule that is not checked; repeatable", collectRule)
    .option("--workers <number>", "number of processes (default: one for each core)", parseCount)
    .option("--replay <file>", "replay a failure: .levelset/simulation/seed-N.json")
    .option("--html <file>", "write a page with the failures and the coverage")
    .option("--write-test <file>", "write a vitest test that replays the first failure")
    .option("--force", "replace an existing test")
    .addOption(outputOption("text", "json"))
    .addOption(
      new Option("--blocked-after <seconds>", "time without a response after which a worker is blocked")
        .argParser(parseMinutes)
        .default(60)
        .hideHelp(),
    )
    .addOption(new Option("--worker", "run as a worker process").hideHelp())
    .addHelpText(
      "after",
      [
        "\nSamples: --samples, those of a simulation(), or sample.yaml, samples/*.yaml or config/samples/*.yaml",
        "beside the file or in the root of its package.",
        "Exit codes: 0 no failure, 3 a rule is violated, 2 wrong argument, 130 stopped by a signal before",
        "its end, 1 any other error or no finished history.",
      ].join("\n"),
    )
    .addHelpText(
      "after",
      examples(
        "levelset simulate src/operator.ts",
        "levelset simulate src/operator.ts --samples sample.yaml --minutes 5",
        "levelset simulate src/operator.ts --replay .levelset/simulation/seed-12.json",
        "levelset simulate src/operator.ts --write-test tests/seed-12.test.ts --html simulation.html",
      ),
    )
    .action(async (file: string, options: SimulateOptions) => {
      if (options.worker === true) return work(shell);
      const { replay } = options;
      const [settings, to] = [settingsOf(file, options), outputOf(options)];
      return interruptible(shell, (once) =>
        replay === undefined ? runSimulation(settings, to, once) : runReplay(replay, settings, to, once),
      );
    });
}

function settingsOf(file: string, options: SimulateOptions): SimulateSettings {
  const { seed, seeds, firstSeed, minutes, failures, samples, ignore = [], workers, blockedAfter } = options;
  return {
    file,
    seeds: seed === undefined ? seeds : 1,
    firstSeed: seed ?? firstSeed,
    minutes,
    failures,
    samples,
    ignore,
    workers: workers ?? availableParallelism(),
    blockedMs: blockedAfter * 1_000,
  };
}

function outputOf({ output, html, writeTest, force = false }: SimulateOptions): OutputSettings {
  return { output, html, writeTest, force };
}

/** Runs as a worker process of another `levelset simulate`. */
function work({ cwd, clock }: Shell): void {
  if (process.send === undefined) throw new InputError("--worker is for the processes that levelset simulate starts");
  // Ctrl-C reaches all processes of a terminal; the parent ends its workers.
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit());
  runWorker(
    {
      send: (message: FromWorker) => void process.send?.(message),
      onMessage: (listener) => process.on("message", (message) => listener(message as ToWorker)), // sent by our own code
      onRejection: (listener) => process.on("unhandledRejection", listener),
      memory: () => process.memoryUsage.rss(),
    },
    { cwd, clock },
  );
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("write a number from 1.");
}

function parseSeed(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("write a number from 0.");
}

function parseMinutes(text: string): number {
  if (/^\d+(?:\.\d+)?$/u.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("write a number above 0.");
}

function collectRule(text: string, earlier: readonly SimulationRule[] = []): readonly SimulationRule[] {
  if (isRule(text)) return [...earlier, text];
  throw new InvalidArgumentError(`the rules are ${Object.keys(RULES).join(", ")}.`);
}
