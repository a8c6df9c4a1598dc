import type { Condition } from "../condition/index.ts";
import { DeclarationError } from "../error/index.ts";
import type { KubeObject } from "../object/index.ts";
import { compileRules } from "../schema/index.ts";
import type { AnySchema, Infer, InferInput, StructuralSchema, ValidationRule } from "../schema/index.ts";
import { printerColumns } from "./printer-columns.ts";
import type { ColumnDeclaration, PrinterColumn } from "./printer-columns.ts";
import { engineStatus } from "./engine-status.ts";
import type { Kind, NewObject, Scope } from "./kind.ts";
import { checkKindNames, pluralOf } from "./kind-names.ts";
import { checkScale, checkSelectable } from "./subresource.ts";
import type { ScalePaths } from "./subresource.ts";

/** The status fields that the engine manages. */
export interface EngineStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** An object of a custom kind, as read. */
export interface CustomObject<Spec, Status> extends KubeObject {
  readonly spec: Spec;
  readonly status?: Status & EngineStatus;
}

/** An object of a custom kind, to be written. */
export interface NewCustomObject<SpecIn> extends NewObject {
  readonly spec: SpecIn;
}

/** A custom kind, made by `kind()`. */
export interface CustomKind<Spec, SpecIn, Status> extends Kind<CustomObject<Spec, Status>, NewCustomObject<SpecIn>> {
  readonly columns: readonly PrinterColumn[];
  /** Categories such as `all`, for `kubectl get CATEGORY`. */
  readonly categories: readonly string[];
  /** Paths of the replica fields, if the kind has a scale subresource. */
  readonly scale: ScalePaths | undefined;
  /** Paths of the fields that field selectors may use. */
  readonly selectableFields: readonly string[];
}

/** A custom kind of any type. */
export type AnyCustomKind = CustomKind<unknown, unknown, unknown>;

/** The spec of a custom kind, as read. */
export type SpecOf<K extends AnyCustomKind> = NonNullable<K["Object"]>["spec"];

/** The status of a custom kind as declared, without the engine's fields. */
export type StatusOf<K extends AnyCustomKind> = K extends CustomKind<infer _S, infer _I, infer Status> ? Status : never;

/** Declaration of a custom kind, for {@link kind}. */
export interface KindDeclaration<Spec extends AnySchema, Status extends AnySchema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Default: the English plural of the kind, in lower case. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Categories such as `all`, for `kubectl get CATEGORY`. */
  readonly categories?: readonly string[];
  /** Default: Namespaced. */
  readonly scope?: Scope;
  readonly spec: Spec;
  /** Without conditions and observedGeneration, which the engine adds. */
  readonly status?: Status;
  /** Columns of `kubectl get` besides Ready and Age: title → JSONPath, or a full declaration. */
  readonly columns?: Readonly<Record<string, string | ColumnDeclaration>>;
  /** Adds the scale subresource, for `kubectl scale` and autoscalers. */
  readonly scale?: ScalePaths;
  /** Paths of scalar fields that field selectors may use, such as `.spec.color`. */
  readonly selectableFields?: readonly string[];
  /** CEL rules for the whole object: `self.spec`, `self.metadata.name`. */
  readonly rules?: readonly ValidationRule[];
}

/**
 * Declares a custom kind: the source of its TypeScript types, its validation and its CRD. Throws a DeclarationError if
 * the declaration is inconsistent.
 */
export function kind<Spec extends AnySchema, Status extends AnySchema = AnySchema>(
  declaration: KindDeclaration<Spec, Status>,
): CustomKind<Infer<Spec>, InferInput<Spec>, Infer<Status>> {
  checkKindNames(declaration);
  const schema: StructuralSchema = {
    type: "object",
    properties: { spec: declaration.spec.structural, status: statusSchema(declaration) },
    ...(declaration.spec.presence === "required" ? { required: ["spec"] } : {}),
    ...(declaration.rules === undefined ? {} : { "x-kubernetes-validations": declaration.rules }),
  };
  const [issue] = compileRules(schema, true).issues;
  if (issue !== undefined) throw new DeclarationError(`${declaration.kind}: ${issue.path}: ${issue.message}`);
  checkScale(schema, declaration.kind, declaration.scale);
  checkSelectable(schema, declaration.kind, declaration.selectableFields ?? []);
  return {
    group: declaration.group,
    version: declaration.version,
    kind: declaration.kind,
    plural: declaration.plural ?? pluralOf(declaration.kind),
    singular: declaration.kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    scale: declaration.scale,
    selectableFields: declaration.selectableFields ?? [],
    scope: declaration.scope ?? "Namespaced",
    hasStatus: true,
    schema,
    columns: printerColumns(schema, declaration.kind, declaration.columns ?? {}),
  };
}

function statusSchema(declaration: { readonly kind: string; readonly status?: AnySchema }): StructuralSchema {
  const own = declaration.status?.structural ?? { type: "object" };
  for (const name of Object.keys(engineStatus)) {
    if (Object.hasOwn(own.properties ?? {}, name)) {
      throw new DeclarationError(
        `${declaration.kind}: status.${name} is managed by the engine: remove it from the status`,
      );
    }
  }
  if ((own.required ?? []).length > 0) {
    const names = (own.required ?? []).join(", ");
    throw new DeclarationError(
      `${declaration.kind}: fields of a status must be optional: write .optional() on ${names}`,
    );
  }
  return { ...own, type: "object", properties: { ...own.properties, ...engineStatus } };
}
