import { controllerReference, kind, s, Secret } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: garamsh/gagent-operator#140, strimzi/strimzi-kafka-operator#8693. Bug: a certificate is renewed shortly before
 * it expires, and one that has expired is an error. If no process runs at that time, or the clock jumps over it, the
 * object fails for ever. Found by: converges, needs a pause or a clock jump that covers the renewal.
 */
const Certificate = kind({
  group: GROUP,
  version: "v1",
  kind: "Certificate",
  spec: s.object({ validSeconds: s.int32().min(1200).immutable() }),
});

const MARGIN_MS = 600_000;
const EXPIRES = "bugs.levelset.dev/expires";

function certificates(options: { readonly renewsExpired: boolean }): AnyOperator {
  const certificate = step(Certificate, "Certificate", {
    owns: [Secret],
    do: async (req) => {
      const metadata = { ...beside(req, req.name), ownerReferences: [controllerReference(req.object)] };
      const validMs = req.spec.validSeconds * 1000;
      const now = req.clock.now();
      const expires = Number(req.get(Secret, beside(req, req.name))?.metadata.annotations?.[EXPIRES] ?? Number.NaN);
      const leftMs = Math.min(expires - now, validMs);
      if (leftMs <= 0 && !options.renewsExpired) throw new Error("the certificate has expired and cannot be renewed");
      if (leftMs > MARGIN_MS) {
        req.requeueAfter(leftMs - MARGIN_MS);
        return ok();
      }
      const annotations = { [EXPIRES]: `${now + validMs}` };
      await req.client.apply(Secret, { metadata: { ...metadata, annotations } }, { force: true });
      req.requeueAfter(validMs - MARGIN_MS);
      return ok();
    },
  });
  return operator(Certificate, [certificate]);
}

export const bug: SimulationBug = {
  name: "expired-while-down",
  source: "https://github.com/garamsh/gagent-operator/issues/140",
  oracle: "converges",
  needs: "a time without a process, or a clock jump, that covers the renewal",
  kind: Certificate,
  create: (cluster) => cluster.create(Certificate, { name: "a", spec: { validSeconds: 86_400 } }),
  buggy: () => ({ start: () => certificates({ renewsExpired: false }) }),
  fixed: () => ({ start: () => certificates({ renewsExpired: true }) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.stop();
    await harness.cluster.clock.advance(100_000_000);
    await harness.restart();
    await harness.settle();
    return `ready: ${await harness.isReady(Certificate)}`;
  },
  accepts: ["foreign-touched"],
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
