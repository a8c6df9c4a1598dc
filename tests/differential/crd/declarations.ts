import { declaration, STRUCT, VERSION, withVersion } from "./declaration.ts";
import type { DeclarationCase } from "./declaration.ts";

const NAMES: readonly DeclarationCase[] = [
  { name: "a declaration", body: declaration("tries") },
  {
    name: "a declaration with all names",
    body: declaration("tries", {
      names: {
        plural: "tries",
        kind: "Try",
        singular: "try",
        listKind: "Tries",
        shortNames: ["t"],
        categories: ["all"],
      },
    }),
  },
  { name: "another name than the plural and the group", body: declaration("tries", {}, { name: "x.y" }) },
  { name: "no names", body: declaration("tries", { names: {} }) },
  {
    name: "bad names",
    body: declaration("tries", {
      names: { plural: "Tries", kind: "a b", singular: "T_", listKind: "L!", shortNames: ["S"], categories: ["C"] },
    }),
  },
  {
    name: "a list that is called like its items",
    body: declaration("tries", { names: { plural: "tries", kind: "Try", listKind: "Try" } }),
  },
  { name: "no group", body: declaration("tries", { group: "" }) },
  { name: "a group without a dot", body: declaration("tries", { group: "local" }, { name: "tries.local" }) },
  { name: "a group in capitals", body: declaration("tries", { group: "A.b" }) },
  { name: "a group of the community", body: declaration("tries", { group: "x.k8s.io" }, { name: "tries.x.k8s.io" }) },
  {
    name: "a group of the community, unapproved",
    body: declaration(
      "tries",
      { group: "x.k8s.io" },
      { name: "tries.x.k8s.io", annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
    ),
  },
  {
    name: "a group of the community, with nonsense",
    body: declaration(
      "tries",
      { group: "x.k8s.io" },
      { name: "tries.x.k8s.io", annotations: { "api-approved.kubernetes.io": "sure" } },
    ),
  },
  { name: "no scope", body: declaration("tries", { scope: "" }) },
  { name: "an unknown scope", body: declaration("tries", { scope: "World" }) },
  {
    name: "unknown fields everywhere",
    body: declaration("tries", { preserveUnknownFields: true }),
    words: "the real server shows a pointer",
  },
];

const VERSIONS: readonly DeclarationCase[] = [
  { name: "no versions", body: declaration("tries", { versions: [] }) },
  { name: "a version with a bad name", body: withVersion({ name: "V_1" }) },
  {
    name: "two versions of one name",
    body: declaration("tries", { versions: [VERSION, { ...VERSION, storage: false }] }),
    words: STRUCT,
  },
  {
    name: "two versions that store",
    body: declaration("tries", { versions: [VERSION, { ...VERSION, name: "v2" }] }),
    words: STRUCT,
  },
  { name: "no version that stores", body: withVersion({ storage: false }), words: STRUCT },
  {
    name: "a version without a schema",
    body: declaration("tries", { versions: [{ name: "v1", served: true, storage: true }] }),
  },
  { name: "a version with an empty schema", body: withVersion({ schema: {} }) },
  {
    name: "two versions of which one has no schema",
    body: declaration("tries", { versions: [VERSION, { name: "v2", served: true, storage: false }] }),
  },
  {
    name: "a warning without deprecation",
    body: withVersion({ deprecationWarning: "x" }),
    words: "the real server shows a pointer",
  },
  {
    name: "an empty warning",
    body: withVersion({ deprecated: true, deprecationWarning: "" }),
    words: "the real server shows a pointer",
  },
  { name: "a deprecated version", body: withVersion({ deprecated: true, deprecationWarning: "use v2" }) },
  {
    name: "columns",
    body: withVersion({
      additionalPrinterColumns: [{ name: "X", type: "string", jsonPath: ".spec.x", priority: 1, format: "date" }],
    }),
  },
  {
    name: "bad columns",
    body: withVersion({
      additionalPrinterColumns: [
        { name: "", type: "text", jsonPath: "spec.x", format: "pretty" },
        { name: "B", type: "", jsonPath: "" },
      ],
    }),
  },
  {
    name: "different columns of two versions",
    body: declaration("tries", {
      versions: [
        { ...VERSION, additionalPrinterColumns: [{ name: "X", type: "x", jsonPath: "x" }] },
        { ...VERSION, name: "v2", storage: false },
      ],
    }),
  },
  {
    name: "a scale",
    body: withVersion({
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.replicas",
          labelSelectorPath: ".status.selector",
        },
      },
    }),
  },
  {
    name: "a bad scale",
    body: withVersion({
      subresources: {
        scale: { specReplicasPath: ".status.a", statusReplicasPath: "status", labelSelectorPath: ".metadata.x" },
      },
    }),
    words: "the real server shows a pointer",
  },
  {
    name: "a scale of nothing",
    body: withVersion({ subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } } }),
  },
  { name: "selectable fields", body: withVersion({ selectableFields: [{ jsonPath: ".spec.x" }] }) },
  {
    name: "bad selectable fields",
    body: withVersion({
      selectableFields: [
        { jsonPath: ".spec.x" },
        { jsonPath: ".spec.x" },
        { jsonPath: ".spec" },
        { jsonPath: ".spec.y" },
        { jsonPath: "" },
        { jsonPath: ".metadata.name" },
      ],
    }),
  },
  {
    name: "a conversion webhook",
    body: declaration("tries", {
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { service: { name: "s", namespace: "n" } }, conversionReviewVersions: ["v1"] },
      },
    }),
  },
  { name: "an unknown conversion", body: declaration("tries", { conversion: { strategy: "Magic" } }) },
  { name: "a conversion webhook without facts", body: declaration("tries", { conversion: { strategy: "Webhook" } }) },
  {
    name: "a conversion webhook of unknown versions",
    body: declaration("tries", {
      conversion: { strategy: "Webhook", webhook: { clientConfig: {}, conversionReviewVersions: ["v9", "v9"] } },
    }),
  },
  {
    name: "a webhook without conversion",
    body: declaration("tries", {
      conversion: {
        strategy: "None",
        webhook: { clientConfig: { url: "https://a.b" }, conversionReviewVersions: ["v1"] },
      },
    }),
  },
];

const CHANGES: readonly DeclarationCase[] = [
  {
    name: "a scope and names that stay",
    body: declaration("stays"),
    changes: [
      { spec: { scope: "Cluster" } },
      { spec: { names: { kind: "Other", listKind: "OtherList" } } },
      { spec: { names: { plural: "others" } } },
      { spec: { group: "other.example.com" } },
    ],
  },
  {
    name: "a stored version that stays",
    body: declaration("versions"),
    changes: [
      { spec: { versions: [{ ...VERSION, name: "v2" }] } },
      {
        spec: {
          versions: [
            { ...VERSION, storage: false },
            { ...VERSION, name: "v2" },
          ],
        },
      },
      { spec: { versions: [{ ...VERSION, name: "v2" }] } },
      { status: { storedVersions: ["v2"] } },
    ],
  },
];

/** Names, versions and what may change, good and bad. */
export const DECLARATIONS: readonly DeclarationCase[] = [...NAMES, ...VERSIONS, ...CHANGES];
