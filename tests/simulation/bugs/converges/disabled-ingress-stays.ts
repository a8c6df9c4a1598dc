import { controllerReference, Ingress, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: apache/solr-operator#673, open-telemetry/opentelemetry-operator#2651. Bug: a step does nothing if its optional
 * field is absent, so that the Ingress of a removed field stays. Found by: converges, needs a removed field.
 */
const Search = kind({
  group: GROUP,
  version: "v1",
  kind: "Search",
  spec: s.object({
    host: s.string().pattern("^[a-z]+([.][a-z]+)+$").max(40).optional(),
    port: s.int32().min(1).max(65_535).default(80),
  }),
});

function manifest(host: string, name: string, port: number) {
  const backend = { service: { name, port: { number: port } } };
  return { rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix" as const, backend }] } }] };
}

function buggy(): AnyOperator {
  const ingress = step(Search, "Ingress", {
    owns: [Ingress],
    do: async (req) => {
      const { host, port } = req.spec;
      if (host === undefined) return ok();
      const ownerReferences = [controllerReference(req.object)];
      await req.client.apply(
        Ingress,
        { metadata: { ...beside(req, req.name), ownerReferences }, spec: manifest(host, req.name, port) },
        { force: true },
      );
      return ok();
    },
  });
  return operator(Search, [ingress]);
}

function fixed(): AnyOperator {
  const ingress = child(Search, "Ingress", {
    kind: Ingress,
    desired: ({ name, spec: { host, port } }) =>
      host === undefined ? undefined : { metadata: { name }, spec: manifest(host, name, port) },
  });
  return operator(Search, [ingress]);
}

export const bug: SimulationBug = {
  name: "disabled-ingress-stays",
  source: "https://github.com/apache/solr-operator/issues/673",
  oracle: "converges",
  needs: "an optional field that is removed",
  kind: Search,
  create: (cluster) => cluster.create(Search, { name: "a", spec: { host: "a.example.com" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Search, "a", { spec: { host: null } });
    await harness.settle();
    return `ingresses: ${await harness.names(Ingress)}`;
  },
  ends: { buggy: "ingresses: a", fixed: "ingresses: " },
};
