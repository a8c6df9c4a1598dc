import { describe } from "vitest";
import type { StartFleet } from "../../support/fleet/running-fleet.ts";
import { describeAccess } from "./scenario/access.ts";
import { describeAggregation } from "./scenario/aggregation.ts";
import { describeChange } from "./scenario/change.ts";
import { describeDeclaration } from "./scenario/declaration.ts";
import { describeDeletion } from "./scenario/deletion.ts";
import { describeReportAcceptance } from "./scenario/report-acceptance.ts";
import { describeOwnership } from "./scenario/ownership.ts";
import { describeInjection } from "./scenario/injection.ts";
import { describeListing } from "./scenario/listing.ts";
import { describeOperation } from "./scenario/operation.ts";
import { describeProtocol } from "./scenario/protocol.ts";

/** The scenarios of the fleet API, over HTTP only. */
export function describeScenarios(store: string, start: StartFleet): void {
  describe(`the fleet API on ${store}`, () => {
    describeDeclaration(start);
    describeChange(start);
    describeReportAcceptance(start);
    describeAggregation(start);
    describeListing(start);
    describeDeletion(start);
    describeOwnership(start);
    describeAccess(start);
    describeOperation(start);
    describeInjection(start);
    describeProtocol(start);
  });
}
