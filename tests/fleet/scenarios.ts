import { describe } from "vitest";
import type { StartFleet } from "./running-fleet.ts";
import { describeAccess } from "./scenario/access.ts";
import { describeAggregation } from "./scenario/aggregation.ts";
import { describeChange } from "./scenario/change.ts";
import { describeDeclaration } from "./scenario/declaration.ts";
import { describeDeletion } from "./scenario/deletion.ts";
import { describeIntake } from "./scenario/intake.ts";
import { describeFamily } from "./scenario/family.ts";
import { describeInjection } from "./scenario/injection.ts";
import { describeListing } from "./scenario/listing.ts";
import { describeOperation } from "./scenario/operation.ts";
import { describeProtocol } from "./scenario/protocol.ts";

/** The scenarios of the fleet API, each under its number, and the decisions where we differ from them. Over HTTP only. */
export function describeScenarios(store: string, start: StartFleet): void {
  describe(`the fleet API on ${store}`, () => {
    describeDeclaration(start);
    describeChange(start);
    describeIntake(start);
    describeAggregation(start);
    describeListing(start);
    describeDeletion(start);
    describeFamily(start);
    describeAccess(start);
    describeOperation(start);
    describeInjection(start);
    describeProtocol(start);
  });
}
