import { describeCrashes } from "./describe-crashes.ts";

describeCrashes(["Simple", "RWExternal"]);
