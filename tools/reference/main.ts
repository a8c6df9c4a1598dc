// `npm run reference`: generates the reference pages: the help of each command and the public names of each package.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCheckout } from "../tidy/checkout.ts";
import { publicLists, PUBLIC_LISTS } from "../tidy/public-list.ts";
import { CLI_PAGE, cliPage } from "./cli-page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const lists = publicLists(readCheckout(ROOT));
rmSync(join(ROOT, PUBLIC_LISTS), { recursive: true, force: true });
for (const [path, text] of lists) {
  mkdirSync(join(ROOT, dirname(path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
const page = join(ROOT, CLI_PAGE);
writeFileSync(page, await cliPage(readFileSync(page, "utf8")));
