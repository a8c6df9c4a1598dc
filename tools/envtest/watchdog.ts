import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process that we started, and its process group if it leads one. */
export interface WatchedProcess {
  readonly pid: number;
  /** Settles when it has ended; never rejects. */
  readonly exited: Promise<unknown>;
}

/** Cleans up if this process dies: ends the watched processes and removes the directory. */
export interface Watchdog {
  /** Settles when the watchdog has ended; never rejects. */
  readonly ended: Promise<void>;
  watch(process: WatchedProcess): void;
  /** Ends the watchdog without further action, after a clean shutdown. */
  release(): Promise<void>;
  /** Closes the pipe, as the system does when this process dies. */
  breakPipe(): void;
}

// Reads commands from a pipe that only this process holds. End of file without `done` means that this process died,
// even by SIGKILL. Ended processes are dropped, because the system may reuse their process ID.
const SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r word pid; do
  case $word in
    add) pids="$pids$pid " ;;
    drop) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
    done) exit 0 ;;
  esac
done
for pid in $pids; do kill -KILL "-$pid" 2>/dev/null || kill -KILL "$pid" 2>/dev/null; done
rm -rf -- "$1"
`;

export async function startWatchdog(directory: string): Promise<Watchdog> {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "envtest-guard", directory], {
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  child.unref();
  // If the watchdog is killed, writes to the pipe fail; the cluster works without it.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const notify = (line: string): void => {
    if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${line}\n`);
  };
  return {
    ended,
    watch(process: WatchedProcess): void {
      notify(`add ${process.pid}`);
      void process.exited.then(() => notify(`drop ${process.pid}`));
    },
    async release(): Promise<void> {
      child.ref();
      notify("done");
      child.stdin.end();
      await ended;
    },
    breakPipe(): void {
      child.stdin.end();
    },
  };
}
