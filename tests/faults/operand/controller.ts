// The controllers of Operands in a process of their own: `controller.ts KUBECONFIG`. Prints a line for each request.
import { writeSync } from "node:fs";
import type { Fetch } from "@levelset/core";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { operandManager } from "@levelset/operator";

const [kubeconfig = ""] = process.argv.slice(2);
const connection = connect(await loadKubeconfig(kubeconfig));
const fetch: Fetch = (request) => {
  writeSync(1, `${request.method}\n`);
  return connection.fetch(request);
};
const world = { fetch, clock: realClock, random: realRandom, logger: silentLogger };
await operandManager().start({ ...world, signal: new AbortController().signal });
