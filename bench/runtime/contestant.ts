import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { cpuMsOf } from "../cpu.ts";
import { elapsed, within } from "./within.ts";

/** What a contestant follows: ConfigMaps are only cached, Divisions and Operands are reconciled. */
export type Mode = "configmaps" | "divisions" | "operands";

/** A program that keeps the protocol of `program.mjs`. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly modes: readonly Mode[];
}

const UP_MS = 60_000;
const ANSWER_MS = 30_000;
const END_MS = 5000;
/** Memory that a collection has freed is given back to the system a little later. */
const SETTLE_MS = 400;

/** A program that is being measured, in a process of its own. */
export class Contestant implements AsyncDisposable {
  /** How many objects it had cached when it was up. */
  readonly objects: number;
  /** From the start of its process until it was up. */
  readonly startMs: number;
  /** From the start of its own code, when all that it imports was loaded. */
  readonly syncMs: number;
  readonly #process: ContestantProcess;

  private constructor(process: ContestantProcess, objects: number, times: { startMs: number; syncMs: number }) {
    this.#process = process;
    this.objects = objects;
    this.startMs = times.startMs;
    this.syncMs = times.syncMs;
  }

  /** Starts a program and waits until it is up. */
  static async start(program: Program, mode: Mode, kubeconfig: string): Promise<Contestant> {
    const start = performance.now();
    const process = new ContestantProcess(program, mode, kubeconfig);
    try {
      const [count, syncMs] = (await process.answer("up", UP_MS)).split(" ");
      return new Contestant(process, Number(count), { startMs: performance.now() - start, syncMs: Number(syncMs) });
    } catch (error) {
      await process.end();
      throw error;
    }
  }

  /** Its resident memory after a garbage collection. */
  async rssMb(): Promise<number> {
    await this.#collect();
    await elapsed(SETTLE_MS);
    await this.#collect();
    const status = await readFile(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? Number.NaN) / 1024;
  }

  /** The CPU time that it has used so far. */
  async cpuMs(): Promise<number> {
    return (await cpuMsOf(this.#process.pid)).own;
  }

  async #collect(): Promise<void> {
    this.#process.ask("collect");
    await this.#process.answer("collected", ANSWER_MS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process.end();
  }
}

/** Speaks the protocol. */
class ContestantProcess {
  readonly pid: number;
  readonly #name: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string, unknown>;

  constructor(program: Program, mode: Mode, kubeconfig: string) {
    this.#name = program.name;
    this.#child = spawn(program.command, [...program.args, mode], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    this.pid = this.#child.pid ?? 0;
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  ask(word: string): void {
    this.#child.stdin.write(`${word}\n`);
  }

  /** What follows the word in the next line. */
  async answer(word: string, ms: number): Promise<string> {
    const next = await within(ms, `${this.#name} says nothing`, this.#lines.next());
    if (next.done === true) throw new Error(`${this.#name} ended by itself`);
    const [said, ...rest] = next.value.split(" ");
    if (said !== word) throw new Error(`${this.#name} said ${next.value} instead of ${word}`);
    return rest.join(" ");
  }

  /** Ends the process: asked to, or by force if it does not. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    try {
      await within(END_MS, `${this.#name} does not end`, ended);
    } catch {
      this.#child.kill("SIGKILL");
      await ended;
    }
  }
}
