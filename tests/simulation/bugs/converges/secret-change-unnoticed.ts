import { ConfigMap, hashJson, kind, s, Secret } from "@levelset/core";
import { child, input, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: grafana/agent#655. Bug: the step reads the Secret with a request and does not declare it, so that it is not
 * watched, and a later change of the Secret has no effect. Found by: converges, needs an input that changes.
 */
const Agent = kind({ group: GROUP, version: "v1", kind: "Agent", spec: s.object({ secretName: s.string().min(1) }) });

function buggy(): AnyOperator {
  const password = step(Agent, "Password", {
    rbac: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    do: async (req) => ok((await req.client.get(Secret, beside(req, req.spec.secretName))).data?.["password"] ?? ""),
  });
  const config = child(Agent, "Config", {
    uses: [password],
    kind: ConfigMap,
    desired: (req) => ({ metadata: { name: req.name }, data: { hash: hashJson(atob(req.from(password))) } }),
  });
  return operator(Agent, [password, config]);
}

function fixed(): AnyOperator {
  const secret = input(Agent, "Password", { secret: ({ spec }) => spec.secretName, keys: { password: s.text() } });
  const config = child(Agent, "Config", {
    uses: [secret],
    kind: ConfigMap,
    desired: (req) => ({ metadata: { name: req.name }, data: { hash: hashJson(req.from(secret).password) } }),
  });
  return operator(Agent, [secret, config]);
}

export const bug: SimulationBug = {
  name: "secret-change-unnoticed",
  source: "https://github.com/grafana/agent/issues/655",
  oracle: "converges",
  needs: "an input that changes after the object is ready",
  kind: Agent,
  create: async (cluster) => {
    await cluster.create(Secret, { name: "login", stringData: { password: "old" } });
    await cluster.create(Agent, { name: "a", spec: { secretName: "login" } });
  },
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Secret, "login", { stringData: { password: "new" } });
    await harness.settle();
    const hash = (await harness.cluster.get(ConfigMap, "a"))?.data?.["hash"];
    return ["old", "new"].filter((password) => hashJson(password) === hash).join(" ");
  },
  ends: { buggy: "old", fixed: "new" },
};
