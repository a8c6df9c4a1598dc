import { startFleet } from "./harness.ts";
import { onPostgres } from "./postgres-suite.ts";
import { describeScenarios } from "./scenarios.ts";

onPostgres("a real server", ({ config }) => {
  describeScenarios("PostgreSQL", (setup) => startFleet(config(), setup));
});
