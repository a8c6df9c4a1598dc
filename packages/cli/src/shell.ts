import type { Clock } from "@levelset/core";

/** Where a person reads along. */
export interface Terminal {
  /** How many characters a line holds. */
  readonly columns: number;
  /** How many lines it has: what is taller cannot be drawn over. Any number if not given. */
  readonly rows?: number;
  readonly colors: boolean;
}

/** What a command may use of the process around it. */
export interface Shell {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** All that is piped in, to its end. */
  readonly stdin: () => Promise<string>;
  /** The terminal that stdout is; absent where it is none. */
  readonly terminal?: Terminal;
  /** How the process will end, unless something goes wrong before. */
  readonly exitCode: (code: number) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Tells who started this process that what the command runs is up; absent where nobody listens. */
  readonly isUp?: () => void;
  /** Aborts when somebody asks the process to stop. */
  readonly signal: () => AbortSignal;
}
