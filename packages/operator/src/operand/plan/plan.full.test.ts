import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { OperandRevision } from "../revision/operand-revision.ts";
import { CHANGES_EACH, checkPlans } from "./plan.fixture.ts";

const CHANGES = 510;

test(`the plans of ${CHANGES} random changes equal what the runs then do`, async () => {
  await using base = await testCluster({ kinds: [Operand, ClusterActiveOperand, OperandRevision] });
  expect(await checkPlans(base, CHANGES / CHANGES_EACH)).toBe(CHANGES);
});
