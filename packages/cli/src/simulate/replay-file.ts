import type { SimulationRule } from "@levelset/simulation";
import { eventsUntil, evidenceLines, replayText, verdictText } from "@levelset/simulation/internal";
import type { StoryFile } from "@levelset/simulation/internal";
import type { Shell } from "../terminal/index.ts";
import { inputsOf, readTask } from "./simulate-file.ts";
import type { SimulationInputs } from "./simulate-file.ts";
import { endViolation, failureOf, SimulationWorker } from "./simulation-worker.ts";
import { printable } from "./simulation-text.ts";
import type { ReplayResult } from "./worker-message.ts";

/** Options of {@link replayFile}. */
export interface ReplaySettings {
  readonly file: string;
  readonly samples: readonly string[] | undefined;
  readonly ignore: readonly SimulationRule[];
  readonly blockedMs: number;
  /** Whether the modules are evaluated only once, as in a test. */
  readonly isShared?: boolean;
}

/** The result of a replay, and what a test needs to replay it. */
export interface ReplayedFile extends ReplayResult {
  readonly inputs: SimulationInputs;
}

/** Performs the case of a story in a worker process. */
export async function replayFile(
  story: Pick<StoryFile, "case">,
  settings: ReplaySettings,
  shell: Shell,
): Promise<ReplayedFile> {
  const { task: read } = await readTask(settings, shell);
  const task = { ...read, isShared: settings.isShared ?? false };
  const { cwd, clock } = shell;
  const signal = shell.signal();
  // The output of the operator is what its developer wants to see.
  using worker = new SimulationWorker(task.file, { cwd, clock, blockedMs: settings.blockedMs, onOutput: shell.stderr });
  const prepared = await worker.prepare(task, signal);
  if (prepared.kind === "prepared") worker.send({ kind: "replay", case: story.case });
  const inputs = prepared.kind === "prepared" ? inputsOf(prepared.program, task) : { samples: [], ignore: [] };
  const event = prepared.kind === "prepared" ? await worker.next(signal) : prepared;
  switch (event.kind) {
    case "replayed":
      return { ...event.result, inputs };
    case "failed":
      throw failureOf(event);
    case "ended":
      return { violation: endViolation(event), events: [], network: [], inputs };
    default:
      throw signal.reason;
  }
}

/** Formats a replay: its steps, whether the rule is still violated, and the state in which it is. */
export function replayReport({ violation: recorded }: StoryFile, { events, violation, why }: ReplayResult): string {
  const steps = events.length === 0 ? "" : `${replayText(eventsUntil(events, why))}\n\n`;
  const evidence = violation === undefined ? [] : evidenceLines(violation, why);
  return printable(`${steps}${[verdictText(recorded, violation), ...evidence].join("\n")}\n`);
}
