import { onAbort } from "@levelset/core/internal";
import type { Manifest, SimulationRule } from "@levelset/simulation";
import { resolveModuleFile } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";
import { findProjectRoot } from "./project-root.ts";
import { runWorkers } from "./run-workers.ts";
import { readSamples } from "./samples.ts";
import type { Samples } from "./samples.ts";
import { SeedQueue } from "./seed-queue.ts";
import { SimulationProgress } from "./simulation-progress.ts";
import { summarize } from "./simulation-summary.ts";
import type { SimulationSummary } from "./simulation-summary.ts";
import type { PreparedProgram, WorkerTask } from "./worker-message.ts";

/** What is simulated, and how long. */
export interface SimulateSettings {
  readonly file: string;
  readonly seeds: number;
  readonly firstSeed: number;
  /** Undefined: no limit. */
  readonly minutes: number | undefined;
  readonly failures: number;
  readonly samples: readonly string[] | undefined;
  readonly ignore: readonly SimulationRule[];
  readonly workers: number;
  /** A worker that does not respond for this time is blocked. */
  readonly blockedMs: number;
}

/** What a test needs to simulate the program in the same way. */
export interface SimulationInputs {
  /** Samples that the program does not declare itself. */
  readonly samples: readonly Manifest[];
  /** Rules that replace those that the program declares as ignored. */
  readonly ignore: readonly SimulationRule[];
}

/** The summary of a simulation, and its time. */
export interface SimulatedFile extends SimulationSummary {
  readonly inputs: SimulationInputs;
  readonly elapsedMs: number;
  /** Why it ended before its last seed; undefined if it did not. */
  readonly end: "stopped" | "time limit" | undefined;
}

/** Between two signs of life of a worker, as a part of the time after which it is blocked. */
const SIGNS_OF_LIFE = 10;

/** A program whose samples did not finish. */
const UNPREPARED: PreparedProgram = {
  coverable: { phases: [], fields: [], faults: [] },
  neverReady: [],
  samples: "schemas",
  fileSamples: [],
  isShared: false,
  ignored: [],
};

/** Returns what the workers simulate, and the samples. */
export async function readTask(
  settings: Pick<SimulateSettings, "file" | "samples" | "ignore" | "blockedMs">,
  shell: Shell,
): Promise<{ readonly task: WorkerTask; readonly samples: Samples }> {
  const { file, ignore, blockedMs } = settings;
  const path = await resolveModuleFile(file, shell.cwd);
  const samples = await readSamples(settings.samples, { path, root: await findProjectRoot(path) }, shell.cwd);
  const { manifests, areGiven: areSamplesGiven } = samples;
  const aliveMs = Math.max(50, Math.floor(blockedMs / SIGNS_OF_LIFE));
  return { task: { file, samples: manifests, areSamplesGiven, ignore, aliveMs }, samples };
}

/** Simulates the program of a file in worker processes. */
export async function simulateFile(settings: SimulateSettings, shell: Shell): Promise<SimulatedFile> {
  const { task, samples } = await readTask(settings, shell);
  const { clock } = shell;
  const stop = shell.signal();
  const limit = new AbortController();
  const { minutes, seeds, workers, blockedMs } = settings;
  const timer = minutes === undefined ? undefined : clock.after(minutes * 60_000, () => limit.abort());
  using _ = onAbort(stop, () => limit.abort());
  const queue = new SeedQueue(settings);
  let program: PreparedProgram | undefined;
  let startedAt = clock.monotonic();
  using progress = new SimulationProgress(shell);
  try {
    await runWorkers(queue, {
      task,
      cwd: shell.cwd,
      clock,
      workers: Math.min(workers, seeds),
      blockedMs,
      signal: limit.signal,
      onPrepared: (prepared) => {
        if (program !== undefined) return;
        program = prepared;
        startedAt = clock.monotonic();
        shell.stderr(`samples: ${describeSamples(prepared, samples)}\n`);
      },
      onOutcome: () => {
        const elapsedMs = clock.monotonic() - startedAt;
        progress.update({ finished: queue.finished, total: seeds, failures: queue.failed, elapsedMs });
      },
    });
  } finally {
    timer?.cancel();
  }
  const elapsedMs = clock.monotonic() - startedAt;
  const isComplete = queue.isDone && !limit.signal.aborted;
  const end = isComplete ? undefined : stop.aborted ? "stopped" : "time limit";
  const simulated = program ?? UNPREPARED;
  return { ...summarize(queue, simulated), inputs: inputsOf(simulated, task), elapsedMs, end };
}

/** Returns what a test needs to simulate the program as a worker does. */
export function inputsOf({ fileSamples, ignored }: PreparedProgram, task: WorkerTask): SimulationInputs {
  return { samples: fileSamples, ignore: task.ignore.length === 0 ? [] : ignored };
}

/** Says where the samples come from. */
export function describeSamples({ samples }: PreparedProgram, { files }: Samples): string {
  switch (samples) {
    case "files":
      return files.join(", ");
    case "declaration":
      return "those of the simulation()";
    case "schemas":
      return "drawn from the schemas (pass --samples for objects of your own)";
  }
}
