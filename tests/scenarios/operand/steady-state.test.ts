import { describeSteadyState } from "./steady-state.ts";

describeSteadyState({ objects: 150, namespaces: 10 });
