import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { EnvtestError, messageOf } from "./errors.ts";

export interface DaemonOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Receives the output of the process. */
  readonly logFile: string;
}

const KILL_AFTER_MS = 10_000;
const LAST_LINES = 20;

// One listener for all daemons: one each would trigger Node's listener leak warning.
const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** A long-running process that we started and may end. */
export class Daemon {
  readonly name: string;
  readonly pid: number;
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #logFile: string;

  private constructor(options: DaemonOptions, child: ChildProcess, pid: number) {
    this.name = options.name;
    this.pid = pid;
    this.#child = child;
    this.#logFile = options.logFile;
    this.exited = new Promise((resolve) => {
      child.once("exit", () => {
        running.delete(child);
        if (running.size === 0) process.off("exit", killRunning);
        resolve();
      });
    });
  }

  /** Starts the process with an empty environment: etcd, for example, reads options from it. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const log = await open(options.logFile, "a", 0o600);
    try {
      // Detached, so that Ctrl-C in a terminal reaches only this process, which ends the others in order.
      const stdio = ["ignore", log.fd, log.fd] as const;
      const child = spawn(options.command, [...options.args], { env: {}, detached: true, stdio: [...stdio] });
      await once(child, "spawn");
      if (child.pid === undefined) throw new EnvtestError(`${options.name} has no process id.`);
      if (running.size === 0) process.on("exit", killRunning);
      running.add(child);
      return new Daemon(options, child, child.pid);
    } catch (error) {
      throw new EnvtestError(`${options.name} did not start: ${messageOf(error)}`, { cause: error });
    } finally {
      await log.close();
    }
  }

  /** The exit status, for instance `exit code 1`; undefined while it runs. */
  get exitMessage(): string | undefined {
    if (this.#child.exitCode !== null) return `exit code ${this.#child.exitCode}`;
    return this.#child.signalCode === null ? undefined : `signal ${this.#child.signalCode}`;
  }

  async lastLines(): Promise<string> {
    const text = await readFile(this.#logFile, "utf8");
    return text.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  }

  /** Sends SIGTERM, and SIGKILL after ten seconds. Does nothing if the process has ended. */
  async stop(): Promise<void> {
    if (this.exitMessage !== undefined) return;
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), KILL_AFTER_MS);
    this.#child.kill("SIGTERM");
    await this.exited;
    clearTimeout(kill);
  }
}
