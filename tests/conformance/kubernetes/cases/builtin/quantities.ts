import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { match } from "../../suite/match.ts";

/** Quantities. */
export const QUANTITIES: readonly Case[] = group("quantities", "requests", [
  [
    "a malformed quantity is a bad request",
    "apimachinery: resource.ParseQuantity",
    async (t) => {
      const spec = { hard: { pods: "lots" } };
      await expectError(t.create("resourcequotas", { metadata: { name: "a" }, spec }), 400, "BadRequest", {
        message: /quantities must match the regular expression/u,
      });
    },
  ],
  [
    "a number is a valid quantity",
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
