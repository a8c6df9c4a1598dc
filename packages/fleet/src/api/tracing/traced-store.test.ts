import { realClock, realRandom, silentLogger } from "@levelset/core";
import { SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { EVERY_TENANT, openStore } from "../../store/index.ts";
import { tracedStore } from "./traced-store.ts";

test("each store call of a request is a span, and failures are recorded", async () => {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const world = { clock: realClock, random: realRandom, logger: silentLogger };
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, world);
  const traced = tracedStore(store, provider.getTracer("test"));
  expect(await traced.load({ id: "none", scope: EVERY_TENANT })).toBeUndefined();
  expect(await traced.feedEnd()).toBe(await store.feedEnd());
  expect(traced.statements).toBe(store.statements);
  await traced.close();
  await expect(traced.loadAll(["none"])).rejects.toThrow(/closed|open/);
  const shown = spans
    .getFinishedSpans()
    .map(({ name, status, attributes }) => [name, status.code, attributes["db.system.name"]]);
  expect(shown).toEqual([
    ["store load", SpanStatusCode.UNSET, "sqlite"],
    ["store loadAll", SpanStatusCode.ERROR, "sqlite"],
  ]);
});
