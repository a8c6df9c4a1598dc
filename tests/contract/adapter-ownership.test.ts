import { embeddedTarget } from "../support/target.ts";
import { adapterOwnershipContract } from "./adapter-ownership.ts";

adapterOwnershipContract("the embedded server", () => embeddedTarget());
