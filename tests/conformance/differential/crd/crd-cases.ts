import { crdManifest, GO_STRUCT_MESSAGE, VERSION, withVersion } from "./crd-case.ts";
import type { CrdCase } from "./crd-case.ts";

const NAMES: readonly CrdCase[] = [
  { name: "a declaration", body: crdManifest("tries") },
  {
    name: "a declaration with all names",
    body: crdManifest("tries", {
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
  { name: "another name than the plural and the group", body: crdManifest("tries", {}, { name: "x.y" }) },
  { name: "no names", body: crdManifest("tries", { names: {} }) },
  {
    name: "bad names",
    body: crdManifest("tries", {
      names: { plural: "Tries", kind: "a b", singular: "T_", listKind: "L!", shortNames: ["S"], categories: ["C"] },
    }),
  },
  {
    name: "a list kind equal to the kind",
    body: crdManifest("tries", { names: { plural: "tries", kind: "Try", listKind: "Try" } }),
  },
  { name: "no group", body: crdManifest("tries", { group: "" }) },
  { name: "a group without a dot", body: crdManifest("tries", { group: "local" }, { name: "tries.local" }) },
  { name: "a group in capitals", body: crdManifest("tries", { group: "A.b" }) },
  { name: "a community group", body: crdManifest("tries", { group: "x.k8s.io" }, { name: "tries.x.k8s.io" }) },
  {
    name: "an unapproved community group",
    body: crdManifest(
      "tries",
      { group: "x.k8s.io" },
      { name: "tries.x.k8s.io", annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
    ),
  },
  {
    name: "a community group with an invalid approval",
    body: crdManifest(
      "tries",
      { group: "x.k8s.io" },
      { name: "tries.x.k8s.io", annotations: { "api-approved.kubernetes.io": "sure" } },
    ),
  },
  { name: "no scope", body: crdManifest("tries", { scope: "" }) },
  { name: "an unknown scope", body: crdManifest("tries", { scope: "World" }) },
  {
    name: "unknown fields everywhere",
    body: crdManifest("tries", { preserveUnknownFields: true }),
    messageDifference: "kube-apiserver prints a pointer",
  },
];

const VERSIONS: readonly CrdCase[] = [
  { name: "no versions", body: crdManifest("tries", { versions: [] }) },
  { name: "a version with a bad name", body: withVersion({ name: "V_1" }) },
  {
    name: "two versions of the same name",
    body: crdManifest("tries", { versions: [VERSION, { ...VERSION, storage: false }] }),
    messageDifference: GO_STRUCT_MESSAGE,
  },
  {
    name: "two storage versions",
    body: crdManifest("tries", { versions: [VERSION, { ...VERSION, name: "v2" }] }),
    messageDifference: GO_STRUCT_MESSAGE,
  },
  { name: "no storage version", body: withVersion({ storage: false }), messageDifference: GO_STRUCT_MESSAGE },
  {
    name: "a version without a schema",
    body: crdManifest("tries", { versions: [{ name: "v1", served: true, storage: true }] }),
  },
  { name: "a version with an empty schema", body: withVersion({ schema: {} }) },
  {
    name: "two versions of which one has no schema",
    body: crdManifest("tries", { versions: [VERSION, { name: "v2", served: true, storage: false }] }),
  },
  {
    name: "a warning without deprecation",
    body: withVersion({ deprecationWarning: "x" }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "an empty warning",
    body: withVersion({ deprecated: true, deprecationWarning: "" }),
    messageDifference: "kube-apiserver prints a pointer",
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
    body: crdManifest("tries", {
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
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "an empty scale",
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
    body: crdManifest("tries", {
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { service: { name: "s", namespace: "n" } }, conversionReviewVersions: ["v1"] },
      },
    }),
  },
  { name: "an unknown conversion", body: crdManifest("tries", { conversion: { strategy: "Magic" } }) },
  {
    name: "a conversion webhook without a configuration",
    body: crdManifest("tries", { conversion: { strategy: "Webhook" } }),
  },
  {
    name: "a conversion webhook of unknown versions",
    body: crdManifest("tries", {
      conversion: { strategy: "Webhook", webhook: { clientConfig: {}, conversionReviewVersions: ["v9", "v9"] } },
    }),
  },
  {
    name: "a webhook without conversion",
    body: crdManifest("tries", {
      conversion: {
        strategy: "None",
        webhook: { clientConfig: { url: "https://a.b" }, conversionReviewVersions: ["v1"] },
      },
    }),
  },
];

const CHANGES: readonly CrdCase[] = [
  {
    name: "scope and names are immutable",
    body: crdManifest("stays"),
    changes: [
      { spec: { scope: "Cluster" } },
      { spec: { names: { kind: "Other", listKind: "OtherList" } } },
      { spec: { names: { plural: "others" } } },
      { spec: { group: "other.example.com" } },
    ],
  },
  {
    name: "a stored version must stay",
    body: crdManifest("versions"),
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

/** Names, versions and updates, valid and invalid. */
export const CRD_CASES: readonly CrdCase[] = [...NAMES, ...VERSIONS, ...CHANGES];
