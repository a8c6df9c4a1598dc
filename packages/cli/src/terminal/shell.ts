import type { Clock } from "@levelset/core";
import type { ManagerOptions } from "@levelset/operator";

type RejectionSource = NonNullable<NonNullable<ManagerOptions["unhandledRejections"]>["source"]>;

/** An interactive terminal. */
export interface Terminal {
  /** Width in characters. */
  readonly columns: number;
  /** Height in lines; taller frames cannot be redrawn. Default: unlimited. */
  readonly rows?: number;
  readonly colors: boolean;
}

/** The process environment of a command. */
export interface Shell {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Reads standard input to its end. */
  readonly stdin: () => Promise<string>;
  /** The terminal of stdout; absent if stdout is not a terminal. */
  readonly terminal?: Terminal;
  /** Sets the exit code, unless an error overrides it. */
  readonly exitCode: (code: number) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Notifies the parent process that the command is running; absent without a parent. */
  readonly onReady?: () => void;
  /** Emits unhandled rejections of the process; absent if the command runs in another program. */
  readonly rejections?: RejectionSource;
  /** Returns a signal that aborts when the process is stopped. */
  readonly signal: () => AbortSignal;
}
