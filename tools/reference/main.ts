// `npm run reference`: generates the reference pages: the help of each command, the public API of each package and the backoffs.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCheckout } from "../tidy/checkout.ts";
import { API_PAGES, apiPages } from "./api-page.ts";
import { BACKOFF_PAGE, backoffPage } from "./backoff-page.ts";
import { CLI_PAGE, cliPage } from "./cli-page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const tree = readCheckout(ROOT);
const pages = apiPages(tree);
rmSync(join(ROOT, API_PAGES), { recursive: true, force: true });
for (const [path, text] of pages) {
  mkdirSync(join(ROOT, dirname(path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
const backoffs = join(ROOT, BACKOFF_PAGE);
writeFileSync(backoffs, backoffPage(readFileSync(backoffs, "utf8"), tree));
const page = join(ROOT, CLI_PAGE);
writeFileSync(page, await cliPage(readFileSync(page, "utf8")));
