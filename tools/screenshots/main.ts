// `npm run screenshots`: takes the screenshots of the console for the guide, in the environment of `npm start`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumPath, launchChromium } from "../browser/chromium.ts";
import { DemoEnvironment } from "./demo-environment.ts";

const OUT = fileURLToPath(new URL("../../docs/images", import.meta.url));

const executablePath = chromiumPath();
if (executablePath === undefined) throw new Error("no Chromium: apt-get install chromium, or name one with CHROMIUM");
mkdirSync(OUT, { recursive: true });
await using scenario = await DemoEnvironment.open();
/** The address of each screenshot, and the texts that must be visible, from top to bottom. */
const views = [
  ["overview", "/", [".worst-item", "section[aria-label=Fleet] .worst-item"], 560],
  ["objects", "/objects?q=default", [".row-link"], 400],
  ["object", "/objects/examples.levelset.dev%2Fv1beta1/Simple/default/ten-by-five", [".banner.bad", ".history"], 860],
  ["set", "/sets/greeter", [".phases", "section[aria-label='To be pruned']"], 860],
  ["fleet", "/fleet", [".cell.good", ".badge.busy"], 420],
  ["cluster", `/fleet/clusters/${scenario.cluster}`, [".pulse time", ".mark.busy"], 860],
  ["runtime", "/runtime", ["figure", "td .badge"], 720],
  ["simulation", `/simulations/${scenario.story}`, [".event"], 780],
] as const;
const browser = await launchChromium(executablePath);
try {
  const page = await browser.newPage({ colorScheme: "light" });
  await page.goto(scenario.url);
  for (const [name, path, shown, height] of views) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(new URL(path, scenario.url).href);
    for (const each of shown) await page.locator(each).first().waitFor();
    await page.screenshot({ path: join(OUT, `console-${name}.png`) });
  }
} finally {
  await browser.close();
}
