import { isAbortError } from "@levelset/core";
import { LinkedAbortController } from "@levelset/core/internal";
import type { Clock, Fetch } from "@levelset/core";

/** Probe timeout. */
const PROBE_MS = 3_000;

/** Result of a probe. `refused`: no server, or another one, listens on the port. */
export type Probe = "responds" | "refused" | "timeout";

/** Probes a server. */
export async function probeServer(url: string, fetch: Fetch, clock: Clock): Promise<Probe> {
  using limit = new LinkedAbortController([], { clock, ms: PROBE_MS });
  try {
    const response = await fetch(new Request(url, { signal: limit.signal }));
    await response.body?.cancel();
    return response.ok ? "responds" : "refused";
  } catch (error) {
    return isAbortError(error) || limit.signal.aborted ? "timeout" : "refused";
  }
}

/** Reports whether a server runs. A suspended process (Ctrl-Z) holds its port without responding. */
export function isServerRunning(probe: Probe, isProcessAlive: boolean): boolean {
  return probe === "responds" || (probe === "timeout" && isProcessAlive);
}
