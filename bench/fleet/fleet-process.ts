import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { StoreConfig } from "@levelset/fleet";
import { cpuMsOf } from "../cpu.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

const PROGRAM = fileURLToPath(new URL("fleet-process-main.ts", import.meta.url));
const ANSWER_MS = 60_000;

/** Options of a fleet process. */
export interface FleetProcessOptions {
  readonly config: StoreConfig;
  readonly roles: readonly ("api" | "sentinel")[];
}

/** A message that a subscriber received. */
export interface PulseDelivery {
  readonly id: string;
  readonly generation: number;
  /** Milliseconds since 1970, with fractions. */
  readonly time: number;
}

/** A process of a fleet. */
export class FleetProcess implements AsyncDisposable {
  /** URL of its API; empty if it has none. */
  readonly url: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: Answers;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, answers: Answers, url: string) {
    this.#child = child;
    this.#answers = answers;
    this.url = url;
  }

  /** Starts a process, and waits until it is ready. */
  static async start(
    options: FleetProcessOptions,
    onPulse: (arrival: PulseDelivery) => void = () => {},
  ): Promise<FleetProcess> {
    const args = ["-C", "levelset-source", PROGRAM, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const answers = new Answers(child, onPulse);
    return new FleetProcess(child, answers, await answers.next("up"));
  }

  /** Returns its CPU time so far. */
  async cpuMs(): Promise<number> {
    return (await cpuMsOf(this.#child.pid ?? 0)).own;
  }

  /** Returns the number of SQL statements so far. */
  async statements(): Promise<number> {
    this.#child.stdin.write("statements\n");
    return Number(await this.#answers.next("statements"));
  }

  /** Kills it with SIGKILL, without completing its work. */
  async kill(): Promise<void> {
    const ended = this.#isOver() ? undefined : once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver()) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await withTimeout(ANSWER_MS, "a process of the fleet does not exit", ended);
  }

  #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Output of a process: pulses at any time, and responses to requests. */
class Answers {
  #waiting: PromiseWithResolvers<string> | undefined;
  #word = "";
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>, onPulse: (arrival: PulseDelivery) => void) {
    this.#child = child;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [word, id = "", generation, time] = line.split(" ");
      if (word === "pulse") onPulse({ id, generation: Number(generation), time: Number(time) });
      else if (word === this.#word) this.#waiting?.resolve(id);
    });
  }

  async next(word: string): Promise<string> {
    this.#word = word;
    const waiting = Promise.withResolvers<string>();
    this.#waiting = waiting;
    this.#child.once("exit", (code) => waiting.reject(new Error(`a process of the fleet exited with ${code}`)));
    return withTimeout(ANSWER_MS, "a process of the fleet does not respond", waiting.promise);
  }
}
