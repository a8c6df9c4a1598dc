import { describeSteadySet } from "./steady.ts";

describeSteadySet({ objects: 1_000, namespaces: 50 });
