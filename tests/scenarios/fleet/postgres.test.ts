import { startFleet } from "../../support/fleet/running-fleet.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";
import { describeScenarios } from "./scenarios.ts";

onPostgres("a real server", ({ config }) => {
  describeScenarios("PostgreSQL", (setup) => startFleet(config(), setup));
});
