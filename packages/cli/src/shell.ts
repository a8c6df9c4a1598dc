import type { Clock } from "@levelset/core";

/** What a command may use of the process around it. */
export interface Shell {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborts when somebody asks the process to stop. */
  readonly signal: () => AbortSignal;
}
