// `npm run build:web`, also run by `levelset dev` in a clone: builds the console's pages if they are older than their
// sources.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./web.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
await buildWeb(join(ROOT, "packages", "console"), { force: process.argv.includes("--force") });
