import { virtualPlace } from "../engine/place.ts";
import { playScenarios } from "../engine/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

playScenarios("Operands on the embedded server, under a virtual clock", SCENARIOS, () =>
  Promise.resolve({ open: () => virtualPlace(), [Symbol.asyncDispose]: () => Promise.resolve() }),
);
