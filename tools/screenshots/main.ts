// `npm run screenshots`: the pictures of the console in the guide, from the same stage that its tests use.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Operand } from "@levelset/operator";
import { ADAPTERS, Stage } from "../../tests/console/stage.ts";
import { chromiumPath, launchChromium } from "../browser/chromium.ts";

const OUT = fileURLToPath(new URL("../../docs/images", import.meta.url));
const VIEWS = [
  ["overview", "/", ".worst-item"],
  ["object", "/objects/examples.levelset.dev%2Fv1beta1/Simple/default/ten-by-zero", ".run"],
  ["set", "/sets/shop", ".items li"],
  ["fleet", "/fleet", ".cell"],
  ["runtime", "/runtime", "figure"],
] as const;

const executablePath = chromiumPath();
if (executablePath === undefined) throw new Error("no Chromium: apt-get install chromium, or name one with CHROMIUM");
mkdirSync(OUT, { recursive: true });
await using stage = await Stage.open();
await Promise.all([stage.simple("ten-by-five", 5), stage.simple("ten-by-three", 3), stage.simple("ten-by-zero", 0)]);
await stage.client.create(Operand, {
  metadata: { name: "shop" },
  spec: {
    steadyState: [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "flags", namespace: "default" },
        data: { color: "blue" },
      },
    ],
  },
});
for (const [number, name] of ["eu-1", "eu-2", "us-1", "us-2", "ap-1"].entries()) {
  const cluster = await stage.cluster(name);
  for (const [index, adapter] of ADAPTERS.entries()) {
    if (number !== 3 || index < 2) await stage.report(cluster, adapter, number !== 1 || index !== 1);
  }
}
const browser = await launchChromium(executablePath);
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const url = await stage.start();
await page.goto(url);
for (const [name, path, shown] of VIEWS) {
  await page.goto(new URL(path, url).href);
  await page.locator(shown).first().waitFor();
  await page.screenshot({ path: join(OUT, `console-${name}.png`) });
}
await browser.close();
