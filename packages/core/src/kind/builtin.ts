import type { Condition } from "../condition/index.ts";
import type { KubeObject } from "../object/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { CrdNames, CrdSpec } from "./crd.ts";
import type { Kind, NewObject } from "./kind.ts";

const text: StructuralSchema = { type: "string" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };
const anything: StructuralSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The fields of a Secret. */
export interface SecretFields {
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly immutable?: boolean;
}

/** Confidential values by key. Never logged, never shown. */
export const Secret: Kind<
  KubeObject & SecretFields,
  NewObject & SecretFields & { readonly stringData?: Readonly<Record<string, string>> }
> = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  singular: "secret",
  shortNames: [],
  scope: "Namespaced",
  hasStatus: false,
  schema: {
    type: "object",
    properties: {
      data: { type: "object", additionalProperties: { type: "string", format: "byte", nullable: true } },
      stringData: texts,
      type: text,
      immutable: { type: "boolean" },
    },
  },
};

/** The fields of a ConfigMap. */
export interface ConfigMapFields {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

/** Configuration by key. */
export const ConfigMap: Kind<KubeObject & ConfigMapFields, NewObject & ConfigMapFields> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  singular: "configmap",
  shortNames: ["cm"],
  scope: "Namespaced",
  hasStatus: false,
  schema: {
    type: "object",
    properties: {
      data: texts,
      binaryData: { type: "object", additionalProperties: { type: "string", format: "byte" } },
      immutable: { type: "boolean" },
    },
  },
};

/** The fields of a Namespace. */
export interface NamespaceFields {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: "Active" | "Terminating" };
}

/** A place for names. */
export const Namespace: Kind<KubeObject & NamespaceFields> = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  singular: "namespace",
  shortNames: ["ns"],
  scope: "Cluster",
  hasStatus: true,
  schema: {
    type: "object",
    properties: {
      spec: { type: "object", properties: { finalizers: { type: "array", items: text } } },
      status: { type: "object", properties: { phase: text, conditions: { type: "array", items: anything } } },
    },
  },
};

/** The fields of a CustomResourceDefinition. */
export interface CrdFields {
  readonly spec: CrdSpec;
  readonly status?: {
    readonly conditions?: readonly Pick<Condition, "type" | "status" | "reason" | "message">[];
    readonly acceptedNames?: CrdNames;
    readonly storedVersions?: readonly string[];
  };
}

/** The declaration of a kind to an API server. */
export const CustomResourceDefinition: Kind<KubeObject & CrdFields, NewObject & Pick<CrdFields, "spec">> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  singular: "customresourcedefinition",
  shortNames: ["crd", "crds"],
  scope: "Cluster",
  hasStatus: true,
  schema: {
    type: "object",
    required: ["spec"],
    properties: {
      spec: {
        type: "object",
        required: ["group", "names", "scope", "versions"],
        properties: {
          group: text,
          scope: { type: "string", enum: ["Cluster", "Namespaced"] },
          names: {
            type: "object",
            required: ["kind", "plural"],
            properties: {
              kind: text,
              listKind: text,
              plural: text,
              singular: text,
              shortNames: { type: "array", items: text },
              categories: { type: "array", items: text },
            },
          },
          versions: {
            type: "array",
            items: {
              type: "object",
              required: ["name", "served", "storage"],
              properties: { name: text, served: { type: "boolean" }, storage: { type: "boolean" } },
              "x-kubernetes-preserve-unknown-fields": true,
            },
          },
          conversion: anything,
          preserveUnknownFields: { type: "boolean" },
        },
      },
      status: anything,
    },
  },
};
