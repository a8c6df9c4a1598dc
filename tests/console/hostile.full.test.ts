import { once } from "node:events";
import { connect } from "node:net";
import { ConfigMap, CustomResourceDefinition, Event, realClock, Secret } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inChromium } from "../support/chromium.ts";
import { Stage } from "./stage.ts";

const TOKEN = "a-token-that-is-told-nobody";
const VALUE = "hunter2-correct-horse";
const ENCODED = Buffer.from(VALUE).toString("base64");
/** Markup, text that runs the other way, what nobody sees, and no end. */
const HOSTILE = `<img src=x onerror="window.owned=1"></script><script>window.owned=1</script>\u202Egnp.exe\u0007\u200B ${"long".repeat(2_000)}`;

/** Names what makes a page wider than its window. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("*")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth && getComputedStyle(each).overflowX === "visible")
  .slice(0, 9).map((each) => each.tagName + "." + each.className + " in " + each.parentElement?.className)`;
const OPEN = { "x-kubernetes-preserve-unknown-fields": true } as const;
/** A kind whose objects may hold anything, and that nobody looks after. */
const Thing: Kind = {
  group: "hostile.levelset.dev",
  version: "v1",
  kind: "Thing",
  plural: "things",
  singular: "thing",
  shortNames: [],
  scope: "Namespaced",
  hasStatus: false,
  schema: OPEN,
};
const thingCrd = {
  metadata: { name: "things.hostile.levelset.dev" },
  spec: {
    group: Thing.group,
    scope: Thing.scope,
    names: { kind: Thing.kind, plural: Thing.plural },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", ...OPEN } } }],
  },
} as const;

inChromium("the console and the hostile", (launch) => {
  let browser: Browser;
  let context: BrowserContext;
  let stage: Stage;
  let url: string;
  let hungUp: Promise<void>;
  beforeAll(async () => {
    browser = await launch();
    stage = await Stage.open({ token: TOKEN });
    url = await stage.start();
    hungUp = askForEver(url);
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(10_000);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  async function opened(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return page;
  }

  /** What must hold of every page, whatever it shows. */
  async function expectHarmless(page: Page): Promise<void> {
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(await page.locator("main img, main script").count()).toBe(0);
    const text = (await page.locator("body").textContent()) ?? "";
    expect(["\u202E", "\u0000", "\u0007", "\u200B"].filter((char) => text.includes(char))).toEqual([]);
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(15_000);
  }

  test("conditions of any shape and number, events and values of others are text", async () => {
    await stage.client.create(CustomResourceDefinition, thingCrd);
    const key = { namespace: "default", name: "hostile" };
    await expect
      .poll(() =>
        stage.client.list(Thing, {}).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const thing = { metadata: key, spec: { text: HOSTILE, deep: deep(200) } };
    const { metadata } = await stage.client.create(Thing, thing);
    const conditions = [
      { type: "Ready", status: "False", reason: HOSTILE, message: HOSTILE, lastTransitionTime: "never" },
      ...Array.from({ length: 1_000 }, (_, index) => ({ type: `${HOSTILE.slice(0, 90)}${index}`, status: "False" })),
      null,
      7,
      "text",
      { type: 7 },
      { type: "Odd", status: {}, message: [], lastTransitionTime: 9 },
    ];
    await stage.client.mergePatch(Thing, key, { status: { conditions, observedGeneration: "1" } });
    const now = new Date(realClock.now()).toISOString();
    await stage.client.create(Event, {
      metadata: { namespace: "default", name: "hostile.1" },
      involvedObject: { apiVersion: "hostile.levelset.dev/v1", kind: "Thing", ...key, uid: metadata.uid },
      reason: "Hostile",
      message: HOSTILE.slice(0, 900),
      type: "Warning",
      firstTimestamp: now,
      lastTimestamp: now,
    });
    for (const [path, shown] of [
      ["/", ".worst-item"],
      ["/objects", ".row-link"],
      ["/objects/hostile.levelset.dev%2Fv1/Thing/default/hostile", ".conditions li"],
    ] as const) {
      const page = await opened(path);
      await page
        .locator(shown, { hasText: path.length > 9 ? "onerror" : "hostile" })
        .first()
        .waitFor();
      await expectHarmless(page);
      await page.close();
    }
  });

  test("an object of a megabyte is a page that answers", async () => {
    const data = { many: "some words\n".repeat(60_000), one: "x".repeat(300_000) };
    await stage.client.create(ConfigMap, { metadata: { namespace: "default", name: "huge" }, data });
    const page = await opened("/objects/v1/ConfigMap/default/huge");
    await page.locator(".yaml-line", { hasText: "some words" }).first().waitFor();
    expect(await page.locator(".yaml-line").last().textContent()).toContain("more lines are not shown here");
    await expectHarmless(page);
    await page.close();
  });

  test("the token leaves the address at once, for nobody to find in the history or to be told as where one came from", async () => {
    const page = await context.newPage();
    const told: string[] = [];
    page.on("request", (request) => {
      const { referer = "" } = request.headers();
      if (!request.isNavigationRequest()) told.push(request.url() + referer);
    });
    await page.goto(url);
    await page.locator(".link.live").waitFor();
    expect(page.url()).toBe(new URL("/", url).href);
    expect(told.length).toBeGreaterThan(2);
    expect(told.join(" ")).not.toContain(TOKEN);
    expect(
      await page.evaluate("performance.getEntries().map(({ name }) => name).join(' ') + document.cookie"),
    ).not.toContain(TOKEN);
    await page.goto(new URL("/objects", url).href);
    await page.goBack();
    expect(page.url()).not.toContain(TOKEN);
    await page.close();
  });

  test("scripts that somebody smuggles into a page do not run, and say nothing to others", async () => {
    const page = await context.newPage();
    await page.route("**/objects", async (route) => {
      const answer = await route.fetch();
      const smuggled = `<script>window.owned=1</script><img src="/x" onerror="window.owned=1"><script src="https://evil.example/a.js"></script>`;
      await route.fulfill({ response: answer, body: (await answer.text()).replace("<body>", `<body>${smuggled}`) });
    });
    const asked: string[] = [];
    page.on("requestfinished", (request) => asked.push(new URL(request.url()).host));
    await page.goto(url);
    await page.goto(new URL("/objects", url).href);
    await page.locator(".link.live").waitFor();
    expect(await page.locator("body > img").count()).toBe(1);
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(new Set(asked)).toEqual(new Set([new URL(url).host]));
    for (const attempt of [
      "document.body.innerHTML = '<b>x</b>'",
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.owned = 1' }))",
    ]) {
      await expect(page.evaluate(`(() => { ${attempt} })()`)).rejects.toThrow(/Trusted|Content Security Policy/u);
    }
    expect(await page.evaluate("window.owned")).toBeUndefined();
    await page.close();
  });

  test("values of Secrets are in nothing that leaves the server", async () => {
    const metadata = { namespace: "default", name: "db" };
    const applied = JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata, stringData: { p: VALUE } });
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": applied,
      "other.example/applied": applied,
    };
    const secret = await stage.client.create(Secret, {
      metadata: { ...metadata, annotations },
      stringData: { p: VALUE },
    });
    await stage.client.create(ConfigMap, { metadata: { ...metadata, annotations }, data: { kept: applied } });
    const wrong = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...metadata, name: "wrong" },
      stringData: { p: VALUE },
    };
    const steadyState = [wrong, { ...wrong, metadata: { ...metadata, name: "Not A Name" } }];
    await stage.client.create(Operand, { metadata: { name: "shop", annotations }, spec: { steadyState } });
    const now = new Date(realClock.now()).toISOString();
    await stage.client.create(Event, {
      metadata: { namespace: "default", name: "db.1" },
      involvedObject: { apiVersion: "v1", kind: "Secret", ...metadata, uid: secret.metadata.uid },
      reason: "Quoted",
      message: `cannot use ${VALUE}, which is ${ENCODED}`,
      type: "Warning",
      firstTimestamp: now,
      lastTimestamp: now,
    });
    await expect
      .poll(async () => (await stage.client.get(Operand, { name: "shop" })).status?.observedGeneration)
      .toBe(1);
    for (const topic of [
      "objects",
      "problems",
      "object:v1/Secret/default/db",
      "object:v1/ConfigMap/default/db",
      `object:${encodeURIComponent("operand.levelset.dev/v1alpha1")}/Operand/-/shop`,
      "set:shop",
      "runtime",
    ]) {
      const told = await firstEvent(url, topic);
      const found = ['"failed","problem"', VALUE, ENCODED].filter((text) => told.includes(text));
      expect({ topic, found }).toEqual({ topic, found: [] });
    }
  });

  test("a request that takes for ever to ask is hung up on", { timeout: 20_000 }, async () => {
    await expect(hungUp).resolves.toBeUndefined();
  });
});

/** Begins to ask, letter by letter, without an end; resolves when nobody listens any more. */
async function askForEver(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ");
  const drip = setInterval(() => socket.write("."), 500);
  socket.on("error", () => {}); // hung up on while it writes
  socket.resume();
  await once(socket, "close");
  clearInterval(drip);
}

/** The first event of a topic, as a page gets it. */
async function firstEvent(url: string, topic: string): Promise<string> {
  const { origin, port } = new URL(url);
  const stop = new AbortController();
  const response = await fetch(`${origin}/api/stream?${new URLSearchParams({ topic }).toString()}`, {
    headers: { cookie: `levelset-console-${port}=${TOKEN}` },
    signal: stop.signal,
  });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (/^data: .*\n\n/mu.test(text)) break;
  }
  stop.abort();
  return text;
}

/** Lists in lists. */
function deep(levels: number): unknown {
  return levels === 0 ? HOSTILE.slice(0, 90) : [deep(levels - 1)];
}
