import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import { toError } from "@levelset/core";
import type { FleetStore } from "../../store/index.ts";
import { TRACED_LIBRARY } from "./request-tracer.ts";

/** The same store, with a span around each call that a request waits for. */
export function tracedStore(store: FleetStore, tracer: Tracer = trace.getTracer(TRACED_LIBRARY)): FleetStore {
  const span = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const options = { kind: SpanKind.CLIENT, attributes: { "db.system.name": store.kind, "db.operation.name": name } };
    return tracer.startActiveSpan(`store ${name}`, options, async (active) => {
      try {
        return await work();
      } catch (error) {
        active.setStatus({ code: SpanStatusCode.ERROR, message: toError(error).message });
        throw error;
      } finally {
        active.end();
      }
    });
  };
  const traced: Partial<FleetStore> = {
    load: (key) => span("load", () => store.load(key)),
    loadAll: (ids) => span("loadAll", () => store.loadAll(ids)),
    family: (key) => span("family", () => store.family(key)),
    list: (query) => span("list", () => store.list(query)),
    journal: (query) => span("journal", () => store.journal(query)),
    answer: (key) => span("answer", () => store.answer(key)),
    commit: (change) => span("commit", () => store.commit(change)),
  };
  // Everything else is the store's own, called on itself: its private members are not to be found anywhere else.
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(traced, name)) return Reflect.get(traced, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
