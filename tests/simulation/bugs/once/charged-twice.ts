import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: Kong/kong-operator#733. Bug: an external call has no idempotency key, and the status records it afterwards, so
 * that a lost response or a lost record repeats it. Found by: once, needs a lost response of the service.
 */
const Order = kind({
  group: GROUP,
  version: "v1",
  kind: "Order",
  spec: s.object({ amount: s.int32().min(1).immutable() }),
  status: s.object({ charged: s.boolean().optional() }),
});

function orders(charge: (service: FakeService, action: string) => Promise<void>): Program {
  const service = new FakeService();
  const payment = () =>
    step(Order, "Payment", {
      preserveStatus: ["charged"],
      do: async (req) => {
        if (req.status.charged === true) return ok();
        await charge(service, `charge ${req.object.metadata.uid}`);
        req.status.charged = true;
        return ok();
      },
    });
  return { start: () => operator(Order, [payment()]), external: service };
}

export const bug: SimulationBug = {
  name: "charged-twice",
  source: "https://github.com/Kong/kong-operator/issues/733",
  oracle: "once",
  needs: "a lost response of the service, or a failed status write",
  kind: Order,
  create: (cluster) => cluster.create(Order, { name: "a", spec: { amount: 5 } }),
  buggy: () => orders((service, action) => service.perform(action)),
  fixed: () => orders((service, action) => service.performOnce(action)),
  expose: async (harness) => {
    harness.start();
    harness.external.failNext("response-lost");
    await bug.create(harness.cluster);
    await harness.settle();
    return `charged ${harness.external.calls().length} times`;
  },
  ends: { buggy: "charged 2 times", fixed: "charged 1 times" },
};
