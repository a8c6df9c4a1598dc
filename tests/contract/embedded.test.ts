import { embeddedTarget } from "../support/target.ts";
import { simpleContract } from "./simple.ts";

simpleContract("the embedded server", embeddedTarget);
