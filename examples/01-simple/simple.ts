import { kind, s } from "@levelset/core";
import { ok, operator, step, terminal } from "@levelset/operator";

export const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Simple",
  spec: s.object({ dividend: s.int32(), divisor: s.int32() }),
  status: s.object({ quotient: s.int32().optional(), remainder: s.int32().optional() }),
  columns: { Quotient: ".status.quotient", Remainder: ".status.remainder" },
});

const ensureNonZeroDivisor = step(Simple, "EnsureNonZeroDivisor", {
  condition: "InputReady",
  do: ({ spec }) => (spec.divisor === 0 ? terminal("division by zero") : ok()),
});

const divide = step(Simple, "Divide", {
  do: ({ spec, status }) => {
    status.quotient = Math.trunc(spec.dividend / spec.divisor);
    status.remainder = spec.dividend % spec.divisor;
    return ok();
  },
});

export default operator(Simple, [ensureNonZeroDivisor, divide]);
