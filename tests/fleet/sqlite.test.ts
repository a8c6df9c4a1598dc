import { startFleet } from "./harness.ts";
import { describeScenarios } from "./scenarios.ts";

describeScenarios("SQLite", (setup) => startFleet({ kind: "sqlite", path: ":memory:" }, setup));
