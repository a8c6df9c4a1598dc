import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step, terminal } from "@levelset/operator";

/** What people declare. Types, validation, the CRD and the columns of kubectl come from this one expression. */
export const Widget = kind({
  group: "example.com",
  version: "v1alpha1",
  kind: "Widget",
  spec: s.object({ greeting: s.string().default("Hello"), who: s.string().min(1) }),
  status: s.object({ text: s.string().optional() }),
  columns: { Text: ".status.text" },
});

/** Checks what the schema cannot say. */
const checkSpec = step(Widget, "CheckSpec", {
  condition: "SpecValid",
  do: ({ spec }) => (spec.who === "nobody" ? terminal("there is nobody to greet") : ok()),
});

/** Keeps a ConfigMap as the spec says, whoever edits or deletes it. It goes together with its owner. */
const greeting = child(Widget, "Greeting", {
  condition: "GreetingReady",
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { text: `${spec.greeting}, ${spec.who}!` } }),
  status: ({ status }, { data }) => {
    status.text = data?.["text"];
  },
});

export default operator(Widget, [checkSpec, greeting]);
