import { kind, s, Service } from "@levelset/core";
import { child, ok, operator, step, terminal } from "@levelset/operator";
import type { Result } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: emqx/emqx-operator#1259 (Acto: values that the schema allows and the operator does not expect). Bug: a text
 * without the expected form is not reported to the user, but computed with, and the server refuses the child with the
 * result. Found by: defects, needs such a text.
 */
const Listen = kind({ group: GROUP, version: "v1", kind: "Listen", spec: s.object({ bind: s.string() }) });

/** `parse` returns the port, or the result of the step for a text without one. */
function listens(parse: (bind: string) => number | Result<never>): AnyOperator {
  const port = step(Listen, "Port", {
    do: ({ spec }) => {
      const number = parse(spec.bind);
      return typeof number === "number" ? ok(number) : number;
    },
  });
  const service = child(Listen, "Service", {
    uses: [port],
    kind: Service,
    desired: (req) => ({
      metadata: { name: req.name },
      spec: { clusterIP: "None", ports: [{ port: req.from(port) }] },
    }),
  });
  return operator(Listen, [port, service]);
}

function portOf(bind: string): number | Result<never> {
  const number = Number(/:([1-9]\d{0,4})$/u.exec(bind)?.[1] ?? Number.NaN);
  return number <= 65_535 ? number : terminal(`bind: ${bind} has no port from 1 to 65535`);
}

export const bug: SimulationBug = {
  name: "port-not-parsed",
  source: "https://github.com/emqx/emqx-operator/issues/1259",
  oracle: "defects",
  needs: "a text of the spec that does not have the expected form",
  kind: Listen,
  create: (cluster) => cluster.create(Listen, { name: "a", spec: { bind: "0.0.0.0:1883" } }),
  buggy: () => ({ start: () => listens((bind) => Number(bind.split(":").at(-1))) }),
  fixed: () => ({ start: () => listens(portOf) }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Listen, { name: "a", spec: { bind: "default" } });
    await harness.settle();
    const conditions = (await harness.cluster.get(Listen, "a"))?.status?.conditions ?? [];
    const message = conditions.find(({ type }) => type === "Ready")?.message ?? "";
    return message.startsWith('Service "a" is invalid') ? "the server refuses the Service" : message;
  },
  ends: { buggy: "the server refuses the Service", fixed: "bind: default has no port from 1 to 65535" },
};
