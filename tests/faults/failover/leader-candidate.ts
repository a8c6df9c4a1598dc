// One of several leader election candidates: `leader-candidate.ts KUBECONFIG IDENTITY`.
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { connect, loadKubeconfig, manager } from "@levelset/operator";
import { counterOperator } from "./counter.ts";

const [kubeconfig = "", identity = ""] = process.argv.slice(2);
const connection = connect(await loadKubeconfig(kubeconfig));
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const times = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 400 };
const leaderElection = { namespace: "default", name: "counter", identity, times };
const world = {
  fetch: connection.fetch,
  clock: realClock,
  random: realRandom,
  logger: silentLogger,
  signal: stop.signal,
};
try {
  await manager([counterOperator(identity)], { leaderElection }).start(world);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 3;
} finally {
  await connection.close();
}
