import { connect } from "node:net";
import { ConfigMap, CustomResourceDefinition, Event, realClock, Secret } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inChromium } from "../../support/chromium.ts";
import { ConsoleHarness } from "./console-harness.ts";

const TOKEN = "a-secret-token";
const VALUE = "hunter2-correct-horse";
const ENCODED = Buffer.from(VALUE).toString("base64");
/** Markup, bidirectional control characters, invisible characters and a very long text. */
const HOSTILE = `<img src=x onerror="window.owned=1"></script><script>window.owned=1</script>\u202Egnp.exe\u0007\u200B ${"long".repeat(2_000)}`;

/** Lists the elements that make a page wider than its window. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("*")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth && getComputedStyle(each).overflowX === "visible")
  .slice(0, 9).map((each) => each.tagName + "." + each.className + " in " + each.parentElement?.className)`;
const ANY_FIELDS = { "x-kubernetes-preserve-unknown-fields": true } as const;
/** A kind without a schema and without a controller. */
const Thing: Kind = {
  group: "hostile.levelset.dev",
  version: "v1",
  kind: "Thing",
  plural: "things",
  singular: "thing",
  shortNames: [],
  scope: "Namespaced",
  hasStatus: false,
  schema: ANY_FIELDS,
};
const thingCrd = {
  metadata: { name: "things.hostile.levelset.dev" },
  spec: {
    group: Thing.group,
    scope: Thing.scope,
    names: { kind: Thing.kind, plural: Thing.plural },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", ...ANY_FIELDS } } },
    ],
  },
} as const;

inChromium("the console with hostile input", (launch) => {
  let browser: Browser;
  let context: BrowserContext;
  let harness: ConsoleHarness;
  let url: string;
  let slowRequest: Promise<void>;
  beforeAll(async () => {
    browser = await launch();
    harness = await ConsoleHarness.open({ token: TOKEN });
    url = await harness.start();
    slowRequest = sendSlowRequest(url);
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  });
  afterAll(async () => {
    await browser.close();
    await harness[Symbol.asyncDispose]();
  });

  async function opened(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return page;
  }

  /** Checks the properties that every page must have. */
  async function expectHarmless(page: Page): Promise<void> {
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(await page.locator("main img, main script").count()).toBe(0);
    const text = (await page.locator("body").textContent()) ?? "";
    expect(["\u202E", "\u0000", "\u0007", "\u200B"].filter((char) => text.includes(char))).toEqual([]);
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(15_000);
  }

  test("hostile conditions, events and values are shown as text", async () => {
    await harness.client.create(CustomResourceDefinition, thingCrd);
    const key = { namespace: "default", name: "hostile" };
    await expect
      .poll(() =>
        harness.client.list(Thing, {}).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const thing = { metadata: key, spec: { text: HOSTILE, deep: deep(200) } };
    const { metadata } = await harness.client.create(Thing, thing);
    const conditions = [
      { type: "Ready", status: "False", reason: HOSTILE, message: HOSTILE, lastTransitionTime: "never" },
      ...Array.from({ length: 1_000 }, (_, index) => ({ type: `${HOSTILE.slice(0, 90)}${index}`, status: "False" })),
      null,
      7,
      "text",
      { type: 7 },
      { type: "Odd", status: {}, message: [], lastTransitionTime: 9 },
    ];
    await harness.client.mergePatch(Thing, key, { status: { conditions, observedGeneration: "1" } });
    const now = new Date(realClock.now()).toISOString();
    await harness.client.create(Event, {
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

  test("the page of an object of 1 MB is truncated and responsive", async () => {
    const data = { many: "some words\n".repeat(60_000), one: "x".repeat(300_000) };
    await harness.client.create(ConfigMap, { metadata: { namespace: "default", name: "huge" }, data });
    const page = await opened("/objects/v1/ConfigMap/default/huge");
    await page.locator(".yaml-line", { hasText: "some words" }).first().waitFor();
    expect(await page.locator(".yaml-line").last().textContent()).toContain("more lines are not shown here");
    await expectHarmless(page);
    await page.close();
  });

  test("the token is removed from the URL, the history and the Referer header", async () => {
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => {
      const { referer = "" } = request.headers();
      if (!request.isNavigationRequest()) requests.push(request.url() + referer);
    });
    await page.goto(url);
    await page.locator(".link.live").waitFor();
    expect(page.url()).toBe(new URL("/", url).href);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.join(" ")).not.toContain(TOKEN);
    expect(
      await page.evaluate("performance.getEntries().map(({ name }) => name).join(' ') + document.cookie"),
    ).not.toContain(TOKEN);
    await page.goto(new URL("/objects", url).href);
    await page.goBack();
    expect(page.url()).not.toContain(TOKEN);
    await page.close();
  });

  test("scripts injected into a page do not run and send no requests", async () => {
    const page = await context.newPage();
    await page.route("**/objects", async (route) => {
      const response = await route.fetch();
      const injected = `<script>window.owned=1</script><img src="/x" onerror="window.owned=1"><script src="https://evil.example/a.js"></script>`;
      await route.fulfill({ response, body: (await response.text()).replace("<body>", `<body>${injected}`) });
    });
    const hosts: string[] = [];
    page.on("requestfinished", (request) => hosts.push(new URL(request.url()).host));
    await page.goto(url);
    await page.goto(new URL("/objects", url).href);
    await page.locator(".link.live").waitFor();
    expect(await page.locator("body > img").count()).toBe(1);
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(new Set(hosts)).toEqual(new Set([new URL(url).host]));
    for (const attempt of [
      "document.body.innerHTML = '<b>x</b>'",
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.owned = 1' }))",
    ]) {
      await expect(page.evaluate(`(() => { ${attempt} })()`)).rejects.toThrow(/Trusted|Content Security Policy/u);
    }
    expect(await page.evaluate("window.owned")).toBeUndefined();
    await page.close();
  });

  test("the server never sends values of Secrets", async () => {
    const metadata = { namespace: "default", name: "db" };
    const applied = JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata, stringData: { p: VALUE } });
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": applied,
      "other.example/applied": applied,
    };
    const secret = await harness.client.create(Secret, {
      metadata: { ...metadata, annotations },
      stringData: { p: VALUE },
    });
    await harness.client.create(ConfigMap, { metadata: { ...metadata, annotations }, data: { copy: applied } });
    const wrong = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...metadata, name: "wrong" },
      stringData: { p: VALUE },
    };
    const steadyState = [wrong, { ...wrong, metadata: { ...metadata, name: "Not A Name" } }];
    await harness.client.create(Operand, { metadata: { name: "shop", annotations }, spec: { steadyState } });
    const now = new Date(realClock.now()).toISOString();
    await harness.client.create(Event, {
      metadata: { namespace: "default", name: "db.1" },
      involvedObject: { apiVersion: "v1", kind: "Secret", ...metadata, uid: secret.metadata.uid },
      reason: "Quoted",
      message: `cannot use ${VALUE}, which is ${ENCODED}`,
      type: "Warning",
      firstTimestamp: now,
      lastTimestamp: now,
    });
    await expect
      .poll(async () => (await harness.client.get(Operand, { name: "shop" })).status?.observedGeneration)
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
      const event = await firstEvent(url, topic);
      const found = ['"failed","problem"', VALUE, ENCODED].filter((text) => event.includes(text));
      expect({ topic, found }).toEqual({ topic, found: [] });
    }
  });

  test("the connection of a request that never completes is closed", async () => {
    await expect(slowRequest).resolves.toBeUndefined();
  });
});

/** Sends a request byte by byte without an end; resolves when the server closes the connection. */
async function sendSlowRequest(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ");
  const drip = setInterval(() => socket.write("."), 500);
  socket.on("error", () => {}); // the server closes the connection during a write
  socket.resume();
  // Unlike `once` of node:events, this does not reject on an error.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drip);
}

/** Returns the first event of a topic. */
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

/** Returns nested lists. */
function deep(levels: number): unknown {
  return levels === 0 ? HOSTILE.slice(0, 90) : [deep(levels - 1)];
}
