import { startEmbeddedServer } from "../../support/test-server.ts";
import { runtimeContract } from "./runtime.ts";
import { simpleContract } from "./simple.ts";

simpleContract("the embedded server", startEmbeddedServer);
runtimeContract("the embedded server", startEmbeddedServer);
