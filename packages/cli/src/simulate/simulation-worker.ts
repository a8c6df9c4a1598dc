import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { InputError } from "@levelset/core";
import type { Clock, Timer } from "@levelset/core";
import type { Violation } from "@levelset/simulation";
import { onAbort } from "@levelset/core/internal";
import { PACKAGE_ROOT } from "../process/index.ts";
import type { FromWorker, SeedFailure, ToWorker, WorkerTask } from "./worker-message.ts";

/** Length of the end of the output that is kept for messages. */
const OUTPUT_MAX = 4_000;

/** The least time for a process to load its modules, during which it cannot respond. */
const START_MS = 60_000;

/** Options of a worker process. */
export interface WorkerOptions {
  readonly cwd: string;
  readonly clock: Clock;
  /** A worker without a message for this time is blocked. */
  readonly blockedMs: number;
  /** Receives the output of the process. Default: only its end is kept. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** What happens in a worker. */
export type WorkerEvent =
  | Exclude<FromWorker, { readonly kind: "alive" | "found" }>
  /** The process has ended by itself, or was killed because it did not respond. */
  | { readonly kind: "ended"; readonly cause: "exit" | "blocked"; readonly code: string; readonly output: string }
  | { readonly kind: "aborted" };

/** The end of a preparation: the program, or the end of the process while its samples ran. */
export type Preparation = Extract<WorkerEvent, { readonly kind: "prepared" | "ended" | "aborted" }>;

/** A process that simulates seeds. Blocking code and crashes of the program affect only this process. */
export class SimulationWorker implements Disposable {
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  readonly #events: WorkerEvent[] = [];
  #notify: () => void = () => {};
  #timer: Timer | undefined;
  #isBlocked = false;
  #output = "";
  #found: SeedFailure | undefined;

  constructor(file: string, options: WorkerOptions) {
    this.#options = options;
    const launcher = fileURLToPath(new URL("bin/levelset.cjs", PACKAGE_ROOT));
    this.#child = fork(launcher, ["simulate", file, "--worker"], {
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [...process.execArgv, "--disable-warning=ExperimentalWarning"],
      // Transfers integers of any size.
      serialization: "advanced",
      // Every evaluation of the program would be a file of the cache.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    }
    this.#child.on("message", (message) => this.#receive(message as FromWorker)); // sent by our own code
    this.#child.on("close", (code, signal) => this.#end(code === null ? (signal ?? "") : `exit code ${code}`));
    this.#child.on("error", () => {}); // the message could not be sent: the process has ended
    this.#watch(Math.max(options.blockedMs, START_MS));
  }

  /** Prepares the program. Throws an InputError if it cannot be loaded. */
  async prepare(task: WorkerTask, signal: AbortSignal): Promise<Preparation> {
    this.send({ kind: "prepare", task });
    let isLoaded = false;
    for (;;) {
      const event = await this.next(signal);
      switch (event.kind) {
        case "loaded":
          isLoaded = true;
          break;
        case "prepared":
        case "aborted":
          return event;
        case "ended":
          if (isLoaded) return event;
          throw new InputError(
            event.cause === "blocked"
              ? `${task.file} does not finish loading: an endless loop`
              : `${task.file} cannot be simulated: its process ended (${event.code})${tail(event.output)}`,
          );
        case "failed":
          throw failureOf(event);
        default:
          throw new Error(`unexpected message of a worker: ${event.kind}`);
      }
    }
  }

  /** The failure that the worker is shrinking, as far as it is. */
  get found(): SeedFailure | undefined {
    return this.#found;
  }

  send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Resolves with the next event. */
  async next(signal: AbortSignal): Promise<WorkerEvent> {
    using _ = onAbort(signal, () => this.#notify());
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (signal.aborted) return { kind: "aborted" };
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#child.removeAllListeners("message");
    this.#child.kill("SIGKILL");
  }

  #receive(message: FromWorker): void {
    this.#watch(this.#options.blockedMs);
    if (message.kind === "alive") return;
    this.#found = message.kind === "found" ? message.failure : undefined;
    if (message.kind !== "found") this.#push(message);
  }

  #push(event: WorkerEvent): void {
    this.#events.push(event);
    this.#notify();
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_MAX);
    this.#options.onOutput?.(text);
  }

  #watch(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(ms, () => {
      this.#isBlocked = true;
      this.#child.kill("SIGKILL");
    });
  }

  #end(code: string): void {
    this.#timer?.cancel();
    this.#push({ kind: "ended", cause: this.#isBlocked ? "blocked" : "exit", code, output: this.#output });
  }
}

/** Returns the error that a worker reported. */
export function failureOf({ message, isInput, hint }: Extract<FromWorker, { readonly kind: "failed" }>): Error {
  return isInput ? new InputError(message, hint === undefined ? {} : { hint }) : new Error(message);
}

/** Returns the rule that the end of a worker violates. */
export function endViolation({ cause, code, output }: Extract<WorkerEvent, { readonly kind: "ended" }>): Violation {
  if (cause === "blocked") {
    return {
      rule: "process-blocked",
      message: "The process does not respond: an endless loop in the operator.",
      expected: "Every step returns control to the event loop.",
    };
  }
  return {
    rule: "process-ended",
    message: `The process ended (${code})${tail(output)}`,
    expected: "Errors of steps are handled, and no code exits the process.",
  };
}

/** Returns the last line of an output that says something, with a colon before it. */
function tail(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^\s*at |^Node\.js v/u.test(line));
  const last = lines.findLast((line) => /error/iu.test(line)) ?? lines.at(-1);
  return last === undefined ? "" : `: ${last.trim()}`;
}
