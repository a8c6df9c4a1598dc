import { apiVersionOf } from "@levelset/core";
import { expect, test } from "vitest";
import { ClusterActiveOperand, OperandRevision } from "../index.ts";
import { nodeStatusOf } from "./node-status.ts";

test.each([
  ["a revision of an Operand needs no controller", OperandRevision, "ready"],
  ["an inventory of an Operand does", ClusterActiveOperand, "progressing"],
])("%s", (_, kind, state) => {
  const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 1 };
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  expect(nodeStatusOf({ object, hasStatus: kind.hasStatus }).state).toBe(state);
});
