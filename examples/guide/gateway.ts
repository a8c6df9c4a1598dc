import { conversion, kind, s } from "@levelset/core";

export const Gateway = kind({
  group: "example.com",
  version: "v1",
  kind: "Gateway",
  shortNames: ["gw"],
  spec: s.object({
    replicas: s.int32().min(0).max(100).default(1),
    listeners: s
      .array(s.object({ name: s.string(), port: s.int32().min(1).max(65_535) }))
      .keyedBy("name")
      .max(16),
    tls: s
      .object({ secretName: s.string().optional(), passthrough: s.boolean().optional() })
      .exactlyOneOf("secretName", "passthrough")
      .optional(),
    region: s.string().immutable(),
  }),
  status: s.object({ replicas: s.int32().optional() }),
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  selectableFields: [".spec.region"],
});

export const Route = kind({
  group: "example.com",
  version: "v1",
  kind: "Route",
  spec: s.object({ hosts: s.array(s.string()), weight: s.int32() }),
});

export const RouteV1beta1 = kind({
  group: "example.com",
  version: "v1beta1",
  kind: "Route",
  spec: s.object({ hosts: s.array(s.string()), share: s.object({ weight: s.int32() }) }),
});

export const toV1 = conversion(RouteV1beta1, Route, {
  up: ({ spec: { share, ...rest }, status }) => ({ spec: { ...rest, weight: share.weight }, status }),
  down: ({ spec: { weight, ...rest }, status }) => ({ spec: { ...rest, share: { weight } }, status }),
});
