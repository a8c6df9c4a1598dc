import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import { toError } from "@levelset/core/internal";
import type { FleetStore } from "../../store/index.ts";
import { TRACER_NAME } from "./request-tracer.ts";

/** Wraps a store so that each call that a request waits for has a span. */
export function tracedStore(store: FleetStore, tracer: Tracer = trace.getTracer(TRACER_NAME)): FleetStore {
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
    loadTree: (key) => span("family", () => store.loadTree(key)),
    list: (query) => span("list", () => store.list(query)),
    journal: (query) => span("journal", () => store.journal(query)),
    idempotentResponse: (key) => span("answer", () => store.idempotentResponse(key)),
    commit: (change) => span("commit", () => store.commit(change)),
  };
  // Other members are called on the store itself, because private fields do not work through a proxy.
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(traced, name)) return Reflect.get(traced, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
