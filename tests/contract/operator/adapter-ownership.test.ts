import { startEmbeddedServer } from "../../support/test-server.ts";
import { adapterOwnershipContract } from "./adapter-ownership.ts";

adapterOwnershipContract("the embedded server", () => startEmbeddedServer());
