import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { expect, test } from "vitest";
import type { DevFleet } from "./dev-fleet.ts";
import { fleetSuggestions } from "./fleet-suggestions.ts";

const url = "http://127.0.0.1:8000";
// Only the kinds of the configuration are read.
const config = { kinds: readKinds(DEFAULT_ENTITIES) } as DevFleet["config"];
const shown = { config, assignments: [], isSimulated: true, url };

test("suggested commands pass --fleet if the environment names another fleet", () => {
  const [plain] = fleetSuggestions(shown, {});
  expect(plain).toBe("  create   npx levelset create cluster eu-1 --set region=eu");
  for (const LEVELSET_FLEET_URL of ["", url]) {
    expect(fleetSuggestions(shown, { LEVELSET_FLEET_URL })[0]).toBe(plain);
  }
  for (const line of fleetSuggestions(shown, { LEVELSET_FLEET_URL: "https://fleet.example" })) {
    expect(line).toMatch(/ --fleet http:\/\/127\.0\.0\.1:8000$/u);
  }
});
