import { withRejections } from "../world/index.ts";
import { HistoryRun } from "./history-run.ts";
import type { RunOptions, RunResult } from "./run-options.ts";

/** Performs a history. Unhandled rejections during it are those of its programs. */
export function runHistory(options: RunOptions): Promise<RunResult> {
  let run: HistoryRun | undefined;
  return withRejections(
    (reason) => run?.onRejection(reason),
    () => {
      run = new HistoryRun(options);
      return run.run();
    },
  );
}
