import { isAbort } from "@levelset/core";
import type { Clock, Fetch } from "@levelset/core";

/** How long a server may take to answer. */
const PROBE_MS = 3_000;

/** The result of asking a server. `refused`: no program listens there, or another one does. */
export type Probe = "answers" | "refused" | "silent";

/** Asks a server whether it is there. */
export async function probeServer(url: string, fetch: Fetch, clock: Clock): Promise<Probe> {
  const limit = new AbortController();
  const timer = clock.after(PROBE_MS, () => limit.abort());
  try {
    const answer = await fetch(new Request(url, { signal: limit.signal }));
    await answer.body?.cancel();
    return answer.ok ? "answers" : "refused";
  } catch (error) {
    return isAbort(error) || limit.signal.aborted ? "silent" : "refused";
  } finally {
    timer.cancel();
  }
}

/** Whether a server that left its address runs. A suspended process (Ctrl-Z) holds its port and does not answer. */
export function isServerRunning(probe: Probe, isProcessAlive: boolean): boolean {
  return probe === "answers" || (probe === "silent" && isProcessAlive);
}
