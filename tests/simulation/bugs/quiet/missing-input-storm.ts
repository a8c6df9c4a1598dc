import { kind, s, Secret } from "@levelset/core";
import { ok, operator, reference, requeueAfter, step, wait } from "@levelset/operator";
import type { Result } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: openshift/cluster-samples-operator#27. Bug: while a credential is missing, the object is requeued at once, and
 * each run asks the server again. Found by: quiet, needs a missing input.
 */
const Samples = kind({
  group: GROUP,
  version: "v1",
  kind: "Samples",
  spec: s.object({ credential: s.string().min(1) }),
});

function samples(missing: (name: string) => Result<never>): AnyOperator {
  const credential = step(Samples, "Credential", {
    reads: [reference(Samples, Secret, ({ spec }) => spec.credential)],
    do: async (req) => {
      const { credential: name } = req.spec;
      const secret = await ifFound(req.client.get(Secret, beside(req, name)));
      return secret === undefined ? missing(name) : ok();
    },
  });
  return operator(Samples, [credential]);
}

export const bug: SimulationBug = {
  name: "missing-input-storm",
  source: "https://github.com/openshift/cluster-samples-operator/pull/27",
  oracle: "quiet",
  needs: "an input that does not exist",
  kind: Samples,
  create: async (cluster) => {
    await cluster.create(Secret, { name: "registry", stringData: { token: "t" } });
    await cluster.create(Samples, { name: "a", spec: { credential: "registry" } });
  },
  buggy: () => ({ start: () => samples((name) => requeueAfter(`no secret ${name} yet`, 10)) }),
  fixed: () => ({ start: () => samples((name) => wait(`no secret ${name} yet`)) }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Samples, { name: "a", spec: { credential: "registry" } });
    await harness.settle(1_000);
    const reads = harness.cluster.faults.count(({ method, path }) => method === "GET" && path.endsWith("/registry"));
    return reads > 50 ? "more than 50 reads in a second" : `${reads} reads in a second`;
  },
  ends: { buggy: "more than 50 reads in a second", fixed: "1 reads in a second" },
};
