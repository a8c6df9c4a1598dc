// @ts-check
// The Operand operators from the built packages. Implements the protocol of ../runtime/program-protocol.mjs.
import { readFile } from "node:fs/promises";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { connect, operandManager, parseKubeconfig } from "@levelset/operator";
import { up } from "../runtime/program-protocol.mjs";

const path = process.env.KUBECONFIG ?? "";
const { fetch } = connect(await parseKubeconfig(await readFile(path, "utf8"), { path }));
const world = {
  fetch,
  clock: realClock,
  random: realRandom,
  logger: silentLogger,
  signal: new AbortController().signal,
};
void operandManager().start(world);
up(0);
