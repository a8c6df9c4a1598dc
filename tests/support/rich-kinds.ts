import { kind, s } from "@levelset/core";

const listener = s
  .object({
    name: s.string().min(1).max(63).pattern("^[a-z]([-a-z0-9]*[a-z0-9])?$"),
    port: s.int32().min(1).max(65_535),
    protocol: s.enum("TCP", "UDP", "HTTP").default("TCP"),
    hosts: s.array(s.string().max(253)).set().max(8).optional(),
    timeout: s.duration().default("30s"),
    weight: s.number().greaterThan(0).max(1).optional(),
  })
  .rule("self.protocol != 'UDP' || self.port > 1000", "a UDP port is above 1000")
  .rule("!has(self.weight) || self.weight * 2.0 < 1.9", { reason: "FieldValueForbidden", fieldPath: ".weight" });

/** A kind with every list type, unions, defaults at several depths, and special values. */
export const Gateway = kind({
  group: "rich.levelset.dev",
  version: "v1",
  kind: "Gateway",
  shortNames: ["gw"],
  categories: ["all", "levelset"],
  spec: s
    .object({
      className: s.string().describe("Which implementation serves it."),
      replicas: s.int32().min(0).max(100).default(1),
      listeners: s.array(listener).keyedBy("name").min(1).max(16),
      limits: s.map(s.quantity()).max(10).optional(),
      target: s.intOrString().optional(),
      tls: s
        .object({ secretName: s.string().optional(), passthrough: s.boolean().optional() })
        .exactlyOneOf("secretName", "passthrough")
        .optional(),
      selectors: s
        .object({ database: s.string().default("DbPassword"), service: s.string().default("Password") })
        .default({}),
      note: s.string().max(20).nullable().optional(),
      color: s.enum("red", "green", "blue").immutable().default("green"),
    })
    .rule("self.replicas <= size(self.listeners) * 20", {
      messageExpression: "self.replicas > 50 ? 'far too many replicas' : 'too many replicas'",
    }),
  rules: [{ rule: "self.metadata.name.size() < 60", message: "the name is too long" }],
  status: s.object({
    replicas: s.int32().optional(),
    selector: s.string().optional(),
    addresses: s.array(s.string()).set().optional(),
  }),
  columns: { Class: ".spec.className", Replicas: { path: ".spec.replicas", wide: true } },
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  selectableFields: [".spec.className", ".spec.color"],
});

/** A kind with embedded objects, open structures, formats, and numbers with multipleOf. */
export const Bundle = kind({
  group: "rich.levelset.dev",
  version: "v1alpha1",
  kind: "Bundle",
  scope: "Cluster",
  spec: s
    .object({
      objects: s.array(s.embedded()).max(5).optional(),
      values: s.record().optional(),
      settings: s
        .object({ level: s.int32().multipleOf(5).default(10) })
        .preserveUnknownFields()
        .optional(),
      anything: s.any().optional(),
      big: s.int64().optional(),
      ratio: s.number().min(-1).max(1).optional(),
      created: s.dateTime().optional(),
      endpoint: s.string().format("uri").optional(),
      address: s.string().format("ipv4").optional(),
      raw: s.string().format("byte").optional(),
      flags: s.map(s.boolean()).atomic().optional(),
      matrix: s.array(s.array(s.int32()).max(3)).max(3).optional(),
      ports: s
        .array(s.object({ port: s.int32(), protocol: s.enum("TCP", "UDP").default("TCP"), node: s.int32().optional() }))
        .keyedBy("port", "protocol")
        .optional(),
      choice: s
        .string()
        .not({ enum: ["forbidden"] })
        .optional(),
    })
    .rule("!has(self.ratio) || !has(self.big) || self.big >= 0 || self.ratio >= 0.0", "only one may be negative")
    .rule("!has(self.created) || self.created > timestamp('2000-01-01T00:00:00Z')", "too old"),
});
