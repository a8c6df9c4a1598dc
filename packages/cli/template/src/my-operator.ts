import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step, terminal } from "@levelset/operator";

/** The API of Widget. TypeScript types, validation, the CRD and the columns of `kubectl get` are derived from it. */
export const Widget = kind({
  group: "example.com",
  version: "v1alpha1",
  kind: "Widget",
  spec: s.object({ greeting: s.string().default("Hello"), who: s.string().min(1) }),
  status: s.object({ text: s.string().optional() }),
  columns: { Text: ".status.text" },
});

/** Validates the spec beyond its schema. A terminal result is not retried until the spec changes. */
const checkSpec = step(Widget, "CheckSpec", {
  condition: "SpecValid",
  do: ({ spec }) => (spec.who === "admin" ? terminal('spec.who: "admin" is reserved, use another name') : ok()),
});

/** Creates a ConfigMap and restores it if it is edited or deleted. It is deleted together with its owner. */
const greeting = child(Widget, "Greeting", {
  condition: "GreetingReady",
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { text: `${spec.greeting}, ${spec.who}!` } }),
  status: ({ status }, { data }) => {
    status.text = data?.["text"];
  },
});

export default operator(Widget, [checkSpec, greeting]);
