import { startFleet } from "../../support/fleet/running-fleet.ts";
import { describeScenarios } from "./scenarios.ts";

describeScenarios("SQLite", (setup) => startFleet({ kind: "sqlite", path: ":memory:" }, setup));
