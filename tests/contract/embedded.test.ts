import { embeddedTarget } from "../support/target.ts";
import { runtimeContract } from "./runtime.ts";
import { simpleContract } from "./simple.ts";

simpleContract("the embedded server", embeddedTarget);
runtimeContract("the embedded server", embeddedTarget);
