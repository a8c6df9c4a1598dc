import { isAbort } from "@levelset/core";
import { EXIT } from "../failure.ts";
import { Frame } from "../frame.ts";
import { jsonText } from "../json-text.ts";
import type { Shell } from "../shell.ts";
import { line } from "../table.ts";
import { decidedBy, NOT_READ } from "./wait-state.ts";
import type { WaitGoal, WaitOutcome, WaitState } from "./wait-state.ts";
import { outcomeText, resultText, stateSpans } from "./wait-text.ts";

/** One object or resource to wait for. */
export interface WaitTarget {
  /** As a person names it: `deployment/web`, `cluster/eu-1`. */
  readonly name: string;
  /** Further fields of its entry in the JSON result: kind, namespace, uid. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** A command that explains why it is not there yet. */
  readonly hint: string;
  /** Watches it until its state is final; reports every state on the way. Rejects with an abort when the signal aborts. */
  readonly wait: (report: (state: WaitState) => void, signal: AbortSignal) => Promise<WaitState>;
}

/** What is waited for, how long, and how the result is printed. */
export interface WaitRun {
  readonly goal: WaitGoal;
  /** 0: without a limit. */
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  /** Aborts when the command is asked to stop. */
  readonly signal: AbortSignal;
}

/**
 * Waits until all targets are reached, one of them can no longer be, or the time is over. Prints progress while it waits, then the result, and
 * sets the exit code: 0 if all are reached, else 3. An error of a target ends the wait and is thrown.
 */
export async function runWait(targets: readonly WaitTarget[], run: WaitRun, shell: Shell): Promise<void> {
  shell.exitCode(EXIT.notReady);
  const progress = new Progress(targets, run, shell);
  const outcome = await untilDecided(targets, run, shell, progress);
  progress.end();
  const states = targets.map((target) => progress.stateOf(target));
  if (run.output === "json") shell.stdout(jsonText(resultJson(targets, states, outcome, run)));
  else printResult(targets, states, outcome, run, shell);
  if (outcome === "reached") shell.exitCode(EXIT.ok);
}

/** Runs all targets at once. */
async function untilDecided(
  targets: readonly WaitTarget[],
  { timeoutMs, signal }: WaitRun,
  { clock }: Shell,
  progress: Progress,
): Promise<WaitOutcome> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  let isLate = false;
  const onLate = (): void => {
    isLate = true;
    stop.abort();
  };
  const timer = timeoutMs === 0 ? undefined : clock.after(timeoutMs, onLate);
  const follow = async (target: WaitTarget): Promise<void> => {
    const report = (state: WaitState): void => progress.report(target, state);
    try {
      report(await target.wait(report, stop.signal));
      if (progress.decided !== undefined) stop.abort();
    } catch (error) {
      if (isAbort(error) && stop.signal.aborted) return;
      stop.abort();
      throw error;
    }
  };
  try {
    const results = await Promise.allSettled(targets.map(follow));
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  } finally {
    timer?.cancel();
    signal.removeEventListener("abort", onAbort);
  }
  return progress.decided ?? (isLate ? "timeout" : "stopped");
}

/** The states of all targets, and what is printed of them: redrawn on a terminal, else a line on stderr for each change. */
class Progress {
  readonly #targets: readonly WaitTarget[];
  readonly #shell: Shell;
  readonly #frame: Frame | undefined;
  readonly #states = new Map<WaitTarget, WaitState>();
  readonly #printed = new Map<WaitTarget, string>();
  #drawn = "";

  constructor(targets: readonly WaitTarget[], { output }: WaitRun, shell: Shell) {
    this.#targets = targets;
    this.#shell = shell;
    this.#frame = shell.terminal !== undefined && output === "text" ? new Frame(shell.stdout) : undefined;
  }

  get decided(): WaitOutcome | undefined {
    return decidedBy(this.#targets.map((target) => this.stateOf(target)));
  }

  stateOf(target: WaitTarget): WaitState {
    return this.#states.get(target) ?? NOT_READ;
  }

  report(target: WaitTarget, state: WaitState): void {
    this.#states.set(target, state);
    if (this.#frame !== undefined) return this.#draw(this.#frame);
    // The final state is the result, which is printed at the end.
    if (state.kind !== "waiting") return;
    const text = line(stateSpans(target.name, state), { colors: false });
    if (this.#printed.get(target) === text) return;
    this.#printed.set(target, text);
    this.#shell.stderr(`${text}\n`);
  }

  /** Removes what was drawn: the result takes its place. */
  end(): void {
    this.#frame?.draw("");
  }

  #draw(frame: Frame): void {
    const { terminal } = this.#shell;
    const { columns, rows = Number.POSITIVE_INFINITY, colors = false } = terminal ?? {};
    const room = Math.max(1, rows - 2);
    const shown = this.#targets.toSorted((a, b) => this.#rank(a) - this.#rank(b)).slice(0, room);
    const lines = shown.map((target) => line(stateSpans(target.name, this.stateOf(target)), { colors, columns }));
    const left = this.#targets.length - shown.length;
    const text = [...lines, ...(left === 0 ? [] : [`… and ${left} more`])].join("\n");
    if (this.#drawn === text) return;
    this.#drawn = text;
    frame.draw(`${text}\n`);
  }

  /** Targets that are reached come last: on a small terminal they are the ones to leave out. */
  #rank(target: WaitTarget): number {
    return this.stateOf(target).kind === "reached" ? 1 : 0;
  }
}

function printResult(
  targets: readonly WaitTarget[],
  states: readonly WaitState[],
  outcome: WaitOutcome,
  { goal, timeoutMs }: WaitRun,
  shell: Shell,
): void {
  const why = outcomeText(outcome, timeoutMs);
  if (why !== "") shell.stderr(`levelset: ${why}\n`);
  for (const [index, { name, hint }] of targets.entries()) {
    const state = states[index] ?? NOT_READ;
    shell.stdout(`${resultText(name, state, goal)}\n`);
    if (state.kind === "waiting" || state.kind === "failed") shell.stdout(`Try: ${hint}\n`);
  }
}

function resultJson(
  targets: readonly WaitTarget[],
  states: readonly WaitState[],
  outcome: WaitOutcome,
  { goal }: WaitRun,
): unknown {
  const objects = targets.map(({ name, fields }, index) => {
    const { kind: result, ...state } = states[index] ?? NOT_READ;
    return { object: name, ...fields, result, ...state };
  });
  return { for: goal, outcome, objects };
}
