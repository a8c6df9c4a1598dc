import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { StoreConfig } from "@levelset/fleet";
import { cpuMsOf } from "../cpu.ts";
import { within } from "../runtime/within.ts";

const PROGRAM = fileURLToPath(new URL("member-process.ts", import.meta.url));
const ANSWER_MS = 60_000;

/** What a process of a fleet is. */
export interface MemberOptions {
  readonly config: StoreConfig;
  readonly roles: readonly ("api" | "sentinel")[];
}

/** A message that a subscriber got. */
export interface Arrival {
  readonly id: string;
  readonly generation: number;
  /** Milliseconds since 1970, with fractions. */
  readonly time: number;
}

/** A process of a fleet. */
export class Member implements AsyncDisposable {
  /** Where its API listens; empty if it has none. */
  readonly url: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: Answers;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, answers: Answers, url: string) {
    this.#child = child;
    this.#answers = answers;
    this.url = url;
  }

  /** Starts one, and waits until it works. */
  static async start(options: MemberOptions, onPulse: (arrival: Arrival) => void = () => {}): Promise<Member> {
    const args = ["-C", "levelset-source", PROGRAM, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const answers = new Answers(child, onPulse);
    return new Member(child, answers, await answers.next("up"));
  }

  /** The CPU time that it has used so far. */
  async cpuMs(): Promise<number> {
    return (await cpuMsOf(this.#child.pid ?? 0)).own;
  }

  /** How many statements it has sent so far. */
  async statements(): Promise<number> {
    this.#child.stdin.write("statements\n");
    return Number(await this.#answers.next("statements"));
  }

  /** Ends it at once, with everything in its hands. */
  async kill(): Promise<void> {
    const ended = this.#isOver() ? undefined : once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver()) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await within(ANSWER_MS, "a process of the fleet does not end", ended);
  }

  #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** What a process says: pulses at any time, and answers when it is asked. */
class Answers {
  #waiting: PromiseWithResolvers<string> | undefined;
  #word = "";
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>, onPulse: (arrival: Arrival) => void) {
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
    this.#child.once("exit", (code) => waiting.reject(new Error(`a process of the fleet ended with ${code}`)));
    return within(ANSWER_MS, "a process of the fleet says nothing", waiting.promise);
  }
}
