// The controllers of Operands in a process of their own: `controller.ts KUBECONFIG`.
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { operandManager } from "@levelset/operator";

const [kubeconfig = ""] = process.argv.slice(2);
const connection = connect(await loadKubeconfig(kubeconfig));
const world = { fetch: connection.fetch, clock: realClock, random: realRandom, logger: silentLogger };
await operandManager().start({ ...world, signal: new AbortController().signal });
