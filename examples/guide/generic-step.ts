import { kind, s } from "@levelset/core";
import { kindWith, ok, operator, step, terminal } from "@levelset/operator";

/** A step for every kind whose spec has a divisor. */
const ensureNonZeroDivisor = step(kindWith<{ readonly divisor: number }>(), "EnsureNonZeroDivisor", {
  condition: "InputReady",
  do: ({ spec }) => (spec.divisor === 0 ? terminal("division by zero") : ok({ factor: 1 / spec.divisor })),
});

export const Share = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Share",
  spec: s.object({ total: s.number(), divisor: s.int32() }),
  status: s.object({ each: s.number().optional() }),
});

const share = step(Share, "Share", {
  uses: [ensureNonZeroDivisor],
  do: (req) => {
    req.status.each = req.spec.total * req.from(ensureNonZeroDivisor).factor;
    return ok();
  },
});

export const shares = operator(Share, [ensureNonZeroDivisor, share]);

export const Ratio = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Ratio",
  spec: s.object({ dividend: s.int32(), divisor: s.int32() }),
});

export const ratios = operator(Ratio, [ensureNonZeroDivisor]);
