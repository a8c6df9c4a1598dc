import { isAbortError } from "@levelset/core";
import { LinkedAbortController } from "@levelset/core/internal";
import { EXIT_CODES } from "../process/index.ts";
import { formatLine, jsonText, TerminalFrame } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import { decidedBy, NOT_READ } from "./wait-state.ts";
import type { WaitGoal, WaitOutcome, WaitState } from "./wait-state.ts";
import { outcomeText, resultText, stateSpans } from "./wait-text.ts";

/** One object or resource to wait for. */
export interface WaitTarget {
  /** Display name: `deployment/web`, `cluster/eu-1`. */
  readonly name: string;
  /** Further fields of its entry in the JSON result: kind, namespace, uid. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Suggested command that explains the state. */
  readonly hint: string;
  /** Watches the target until its state is final and reports every state. Rejects with an AbortError on abort. */
  readonly wait: (report: (state: WaitState) => void, signal: AbortSignal) => Promise<WaitState>;
}

/** Options of {@link runWait}. */
export interface WaitRun {
  readonly goal: WaitGoal;
  /** 0 means no limit. */
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  /** Aborts when the command is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Waits until all targets reach the goal, one of them cannot reach it any more, or the timeout expires. Prints progress
 * while it waits, then the result, and sets the exit code: 0 if all have reached the goal, else 3. Rejects with the
 * error of a target.
 */
export async function runWait(targets: readonly WaitTarget[], run: WaitRun, shell: Shell): Promise<void> {
  shell.exitCode(EXIT_CODES.notReady);
  const progress = new Progress(targets, run, shell);
  const outcome = await untilDecided(targets, run, shell, progress);
  progress.end();
  const states = targets.map((target) => progress.stateOf(target));
  if (run.output === "json") shell.stdout(jsonText(resultJson(targets, states, outcome, run)));
  else printResult(targets, states, outcome, run, shell);
  if (outcome === "reached") shell.exitCode(EXIT_CODES.ok);
}

/** Waits for all targets concurrently. */
async function untilDecided(
  targets: readonly WaitTarget[],
  { timeoutMs, signal }: WaitRun,
  { clock }: Shell,
  progress: Progress,
): Promise<WaitOutcome> {
  using stop = new LinkedAbortController([signal]);
  let isTimedOut = false;
  const onTimeout = (): void => {
    isTimedOut = true;
    stop.abort();
  };
  const timer = timeoutMs === 0 ? undefined : clock.after(timeoutMs, onTimeout);
  const watch = async (target: WaitTarget): Promise<void> => {
    const report = (state: WaitState): void => progress.report(target, state);
    try {
      report(await target.wait(report, stop.signal));
      if (progress.decided !== undefined) stop.abort();
    } catch (error) {
      if (isAbortError(error) && stop.signal.aborted) return;
      stop.abort();
      throw error;
    }
  };
  try {
    const results = await Promise.allSettled(targets.map(watch));
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  } finally {
    timer?.cancel();
  }
  return progress.decided ?? (isTimedOut ? "timeout" : "stopped");
}

/** Prints the states of all targets: redrawn on a terminal, else a line on stderr for each change. */
class Progress {
  readonly #targets: readonly WaitTarget[];
  readonly #shell: Shell;
  readonly #frame: TerminalFrame | undefined;
  readonly #states = new Map<WaitTarget, WaitState>();
  readonly #printed = new Map<WaitTarget, string>();
  #drawn = "";

  constructor(targets: readonly WaitTarget[], { output }: WaitRun, shell: Shell) {
    this.#targets = targets;
    this.#shell = shell;
    this.#frame = shell.terminal !== undefined && output === "text" ? new TerminalFrame(shell.stdout) : undefined;
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
    const text = formatLine(stateSpans(target.name, state), { colors: false });
    if (this.#printed.get(target) === text) return;
    this.#printed.set(target, text);
    this.#shell.stderr(`${text}\n`);
  }

  /** Clears the drawn lines before the result is printed. */
  end(): void {
    this.#frame?.draw("");
  }

  #draw(frame: TerminalFrame): void {
    const { terminal } = this.#shell;
    const { columns, rows = Number.POSITIVE_INFINITY, colors = false } = terminal ?? {};
    const room = Math.max(1, rows - 2);
    const shown = this.#targets.toSorted((a, b) => this.#rank(a) - this.#rank(b)).slice(0, room);
    const lines = shown.map((target) => formatLine(stateSpans(target.name, this.stateOf(target)), { colors, columns }));
    const left = this.#targets.length - shown.length;
    const text = [...lines, ...(left === 0 ? [] : [`… and ${left} more`])].join("\n");
    if (this.#drawn === text) return;
    this.#drawn = text;
    frame.draw(`${text}\n`);
  }

  /** Sorts reached targets last: a small terminal omits them. */
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
  const text = outcomeText(outcome, timeoutMs);
  if (text !== "") shell.stderr(`levelset: ${text}\n`);
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
