import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";

/** What a quantity may look like. */
export const QUANTITIES: readonly Case[] = group("quantities", "requests", [
  [
    "a quantity that cannot be read is a bad request",
    "apimachinery: resource.ParseQuantity",
    async (t) => {
      const spec = { hard: { pods: "lots" } };
      await refused(t.create("resourcequotas", { metadata: { name: "a" }, spec }), 400, "BadRequest", {
        message: /quantities must match the regular expression/u,
      });
    },
  ],
  [
    "a number is a quantity too",
    "apimachinery: resource.Quantity UnmarshalJSON",
    async (t) =>
      match(
        (await t.create("resourcequotas", { metadata: { name: "a" }, spec: { hard: { pods: 5 } } })).at(
          "spec.hard.pods",
        ),
        "5",
      ),
  ],
]);
