import { embeddedTarget } from "../support/target.ts";
import { childrenContract } from "./children.ts";

childrenContract("the embedded server", () => embeddedTarget());
