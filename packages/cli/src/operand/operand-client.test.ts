import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import type { ClusterSession } from "../cluster/index.ts";
import { applyOperand } from "./operand-client.ts";

/** Applies an Operand on a server that rejects it, and returns the message of the error. */
async function rejection(code: number, reason: string | undefined, message: string): Promise<unknown> {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
  const client = new Client({
    fetch: () => Promise.resolve(Response.json(status, { status: code })),
    fieldManager: "t",
  });
  const session = { client, signal: new AbortController().signal } as ClusterSession; // applying needs only these
  return applyOperand(session, "shop", {}, { dryRun: false, force: false }).catch(String);
}

test.for([
  [413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"],
  [500, undefined, "etcdserver: request is too large"],
] as const)(
  "an Operand beyond the size limit of the cluster is reported as such: %s %s",
  async ([code, reason, text]) => {
    expect(await rejection(code, reason, text)).toContain("the Operand exceeds the size limit of the cluster");
  },
);

test.for([
  [422, "Invalid", 'Operand.operand.levelset.dev "too large" is invalid: spec.x: Invalid value: 9: too large'],
  [504, "Timeout", "Timeout: Too large resource version: 9, current: 1"],
] as const)("another error is not about the size: %s %s", async ([code, reason, text]) => {
  expect(await rejection(code, reason, text)).not.toContain("size limit");
});
