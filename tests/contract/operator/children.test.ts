import { startEmbeddedServer } from "../../support/test-server.ts";
import { childrenContract } from "./children.ts";

childrenContract("the embedded server", () => startEmbeddedServer());
