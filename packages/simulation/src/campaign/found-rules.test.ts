import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { ManagedOperator } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Case } from "../run/index.ts";
import type { Violation } from "../violation/index.ts";
import { Campaign } from "./campaign.ts";

const Thing = kind({
  group: "example.com",
  version: "v1",
  kind: "Thing",
  spec: s.object({ size: s.int32().min(0).max(5) }),
});

const thing = (size: number) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default" },
  spec: { size },
});
const CREATE = { do: "create", object: thing(1), afterMs: 60_000 } as const;
const CREATED: Case = { history: { operations: [CREATE] }, faults: [], seed: 1 };

async function violationOf(
  program: () => ManagedOperator,
  replayed: Case = CREATED,
): Promise<Violation | undefined> {
  const campaign = await Campaign.prepare(program, { samples: [thing(1)], ignore: ["long-name-unhealthy"] });
  return (await campaign.replay(replayed)).violation;
}

test("a child with a generated name is found twice after its create was delivered twice", async () => {
  const run = step(Thing, "Run", {
    owns: [ConfigMap],
    do: async (req) => {
      const metadata = { namespace: "default", generateName: "a-", ownerReferences: [controllerReference(req.object)] };
      if (req.owned(ConfigMap).length === 0) await req.client.create(ConfigMap, { metadata, data: {} });
      return ok();
    },
  });
  const faults = [{ at: 0, kind: "request", nth: 1, fault: { kind: "duplicate" } }] as const;
  expect(await violationOf(() => operator(Thing, [run]), { ...CREATED, faults })).toMatchObject({
    rule: "child-duplicated",
    message: "Thing default/a has 2 children ConfigMap default/a-* after faults, not 1.",
  });
});
