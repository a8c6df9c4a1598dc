import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process that we started, and all of its group if it leads one. */
export interface Guarded {
  readonly pid: number;
  /** Settles when it has ended; never rejects. */
  readonly ended: Promise<unknown>;
}

/** Cleans up when we cannot: ends the watched processes and removes the directory once our process is gone. */
export interface Guard {
  /** Settles when the guard has ended; never rejects. */
  readonly ended: Promise<void>;
  watch(process: Guarded): void;
  /** Everything has been cleaned up: the guard ends and touches nothing. */
  release(): Promise<void>;
  /** What the system does when our process dies. */
  breakPipe(): void;
}

// Reads orders from a pipe that only we hold. Its end without `done` means that we died, even by SIGKILL, where no
// handler of ours runs. Ended processes are dropped, because the system may give their number to somebody else.
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

export async function startGuard(directory: string): Promise<Guard> {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "envtest-guard", directory], {
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  child.unref();
  // A guard that somebody ended breaks the pipe; the cluster itself works on without it.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const tell = (line: string): void => {
    if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${line}\n`);
  };
  return {
    ended,
    watch(process: Guarded): void {
      tell(`add ${process.pid}`);
      void process.ended.then(() => tell(`drop ${process.pid}`));
    },
    async release(): Promise<void> {
      child.ref();
      tell("done");
      child.stdin.end();
      await ended;
    },
    breakPipe(): void {
      child.stdin.end();
    },
  };
}
