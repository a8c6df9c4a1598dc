import { kind, s, Secret } from "@levelset/core";
import { child, input, operator } from "@levelset/operator";

export const RWExternal = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "RWExternal",
  spec: s.object({ inputSecret: s.string().min(1) }),
  status: s.object({ outputSecret: s.string().optional() }),
  columns: { Input: ".spec.inputSecret", Output: ".status.outputSecret" },
});

const numbers = input(RWExternal, "ReadNumbers", {
  condition: "InputReady",
  secret: ({ spec }) => spec.inputSecret,
  keys: {
    dividend: s.intFromString(),
    divisor: s.intFromString().refine("a whole number other than 0", (divisor) => divisor !== 0),
  },
});

const result = child(RWExternal, "StoreResult", {
  condition: "OutputReady",
  uses: [numbers],
  kind: Secret,
  // Without an owner reference the step deletes the child itself, so the object gets a finalizer.
  owned: false,
  desired: (req) => {
    const { dividend, divisor } = req.from(numbers);
    return {
      metadata: { name: req.name },
      stringData: { quotient: `${Math.trunc(dividend / divisor)}`, remainder: `${dividend % divisor}` },
    };
  },
  status: (req, secret) => {
    req.status.outputSecret = secret.metadata.name;
  },
});

export default operator(RWExternal, [numbers, result]);
