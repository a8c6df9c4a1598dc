import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { cpuMsOf } from "../cpu.ts";
import { sleep, withTimeout } from "./with-timeout.ts";

/** The watched kind: ConfigMaps are only cached, Divisions and Operands are reconciled. */
export type Workload = "configmaps" | "divisions" | "operands";

/** A program that implements the protocol of `program-protocol.mjs`. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly modes: readonly Workload[];
}

const UP_MS = 60_000;
const ANSWER_MS = 30_000;
const END_MS = 5000;
/** Freed memory is returned to the system with a delay after garbage collection. */
const SETTLE_MS = 400;

/** A measured program in its own process. */
export class BenchProcess implements AsyncDisposable {
  /** Number of cached objects when it was up. */
  readonly objects: number;
  /** Time from process start until it was up. */
  readonly startMs: number;
  /** Time from the start of its code, after all imports, until it was up. */
  readonly syncMs: number;
  readonly #process: ContestantProcess;

  private constructor(process: ContestantProcess, objects: number, times: { startMs: number; syncMs: number }) {
    this.#process = process;
    this.objects = objects;
    this.startMs = times.startMs;
    this.syncMs = times.syncMs;
  }

  /** Starts a program and waits until it is up. */
  static async start(program: Program, mode: Workload, kubeconfig: string): Promise<BenchProcess> {
    const start = performance.now();
    const process = new ContestantProcess(program, mode, kubeconfig);
    try {
      const [count, syncMs] = (await process.answer("up", UP_MS)).split(" ");
      return new BenchProcess(process, Number(count), { startMs: performance.now() - start, syncMs: Number(syncMs) });
    } catch (error) {
      await process.end();
      throw error;
    }
  }

  /** Returns its resident memory after garbage collection. */
  async rssMb(): Promise<number> {
    await this.#collect();
    await sleep(SETTLE_MS);
    await this.#collect();
    const status = await readFile(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? Number.NaN) / 1024;
  }

  /** Returns its CPU time so far. */
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

/** Implements the benchmark's side of the protocol. */
class ContestantProcess {
  readonly pid: number;
  readonly #name: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string, unknown>;

  constructor(program: Program, mode: Workload, kubeconfig: string) {
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

  /** Returns the rest of the next line, which must start with `word`. */
  async answer(word: string, ms: number): Promise<string> {
    const next = await withTimeout(ms, `${this.#name} does not respond`, this.#lines.next());
    if (next.done === true) throw new Error(`${this.#name} exited unexpectedly`);
    const [output, ...rest] = next.value.split(" ");
    if (output !== word) throw new Error(`${this.#name} printed ${next.value} instead of ${word}`);
    return rest.join(" ");
  }

  /** Stops the process; kills it if it does not exit. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    try {
      await withTimeout(END_MS, `${this.#name} does not exit`, ended);
    } catch {
      this.#child.kill("SIGKILL");
      await ended;
    }
  }
}
