// @ts-check
// levelset from the built packages.
import { readFile } from "node:fs/promises";
import { ConfigMap, kind, realClock, realRandom, s, silentLogger } from "@levelset/core";
import { Cache, connect, ok, operator, parseKubeconfig, step, terminal } from "@levelset/operator";
import { CONCURRENCY, DIVISION, NAMESPACE, up } from "./program-protocol.mjs";

const path = process.env.KUBECONFIG ?? "";
const { fetch } = connect(await parseKubeconfig(await readFile(path, "utf8"), { path }));
const world = {
  fetch,
  clock: realClock,
  random: realRandom,
  logger: silentLogger,
  signal: new AbortController().signal,
};

if (process.argv[2] === "configmaps") await watch();
else reconcile();

async function watch() {
  const configMaps = new Cache(world).watch(ConfigMap, { namespaces: [NAMESPACE] });
  await configMaps.synced;
  up(configMaps.list().length);
}

function reconcile() {
  const { plural: _plural, ...names } = DIVISION;
  const Division = kind({
    ...names,
    spec: s.object({ dividend: s.int32(), divisor: s.int32() }),
    status: s.object({ quotient: s.int32().optional(), remainder: s.int32().optional() }),
  });
  const divide = step(Division, "Divide", {
    do: ({ spec, status }) => {
      if (spec.divisor === 0) return terminal("division by zero");
      status.quotient = Math.trunc(spec.dividend / spec.divisor);
      status.remainder = spec.dividend % spec.divisor;
      return ok();
    },
  });
  void operator(Division, [divide], { concurrency: CONCURRENCY, namespaces: [NAMESPACE] }).start(world);
  up(0);
}
