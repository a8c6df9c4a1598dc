import { describeSteadyState } from "./steady-state.ts";

describeSteadyState({ objects: 1_000, namespaces: 50 });
