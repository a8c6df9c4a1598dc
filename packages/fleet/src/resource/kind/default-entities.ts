import type { JsonObject } from "@levelset/core";

/** Default kinds of a fleet whose configuration declares none, as input of `readKinds`. */
export const DEFAULT_ENTITIES: readonly JsonObject[] = [
  {
    kind: "Cluster",
    plural: "clusters",
    spec_schema_name: "ClusterSpec",
    required_adapters: ["validation", "dns", "pullsecret", "hypershift"],
    name_min_len: 3,
    name_max_len: 53,
  },
  {
    kind: "NodePool",
    plural: "nodepools",
    parent_kind: "Cluster",
    on_parent_delete: "cascade",
    spec_schema_name: "NodePoolSpec",
    required_adapters: ["validation", "hypershift"],
    name_min_len: 3,
    name_max_len: 15,
  },
  { kind: "Channel", plural: "channels", spec_schema_name: "ChannelSpec" },
  {
    kind: "Version",
    plural: "versions",
    parent_kind: "Channel",
    on_parent_delete: "restrict",
    spec_schema_name: "VersionSpec",
  },
  { kind: "WifConfig", plural: "wifconfigs", spec_schema_name: "WifConfigSpec" },
];
