// `npm run reference`: generates the reference pages: the help of each command and the public API of each package.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCheckout } from "../tidy/checkout.ts";
import { API_PAGES, apiPages } from "./api-page.ts";
import { CLI_PAGE, cliPage } from "./cli-page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const pages = apiPages(readCheckout(ROOT));
rmSync(join(ROOT, API_PAGES), { recursive: true, force: true });
for (const [path, text] of pages) {
  mkdirSync(join(ROOT, dirname(path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
const page = join(ROOT, CLI_PAGE);
writeFileSync(page, await cliPage(readFileSync(page, "utf8")));
