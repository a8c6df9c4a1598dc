import { describeSteadySet } from "./steady.ts";

describeSteadySet({ objects: 150, namespaces: 10 });
