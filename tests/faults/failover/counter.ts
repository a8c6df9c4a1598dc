import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Operator } from "@levelset/operator";

/** A kind whose status names the process that wrote it. */
export const Counter = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Counter",
  spec: s.object({ value: s.int32() }),
  status: s.object({ value: s.int32().optional(), by: s.string().optional() }),
});

/** Copies the value into the status, with the identity of the process. */
export function counterOperator(identity: string): Operator<typeof Counter> {
  return operator(Counter, [
    step(Counter, "Copy", {
      do: (req) => {
        req.status.value = req.spec.value;
        req.status.by = identity;
        return ok();
      },
    }),
  ]);
}
