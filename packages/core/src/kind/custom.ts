import type { Condition } from "../condition/index.ts";
import { DeclarationError } from "../error/index.ts";
import type { KubeObject } from "../object/index.ts";
import { compileRules } from "../schema/index.ts";
import type { AnySchema, Infer, InferInput, StructuralSchema, ValidationRule } from "../schema/index.ts";
import { printerColumns } from "./columns.ts";
import type { ColumnDeclaration, PrinterColumn } from "./columns.ts";
import { engineStatus } from "./engine-status.ts";
import type { Kind, NewObject, Scope } from "./kind.ts";
import { checkNames, pluralOf } from "./names.ts";
import { checkScale, checkSelectable } from "./subresource.ts";
import type { ScalePaths } from "./subresource.ts";

/** What the engine itself keeps in every status. */
export interface EngineStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** An object of a declared kind, as a reader sees it. */
export interface CustomObject<Spec, Status> extends KubeObject {
  readonly spec: Spec;
  readonly status?: Status & EngineStatus;
}

/** An object of a declared kind, as a writer gives it. */
export interface NewCustomObject<SpecIn> extends NewObject {
  readonly spec: SpecIn;
}

/** A kind of your own, made by `kind()`. */
export interface CustomKind<Spec, SpecIn, Status> extends Kind<CustomObject<Spec, Status>, NewCustomObject<SpecIn>> {
  readonly columns: readonly PrinterColumn[];
  /** Groups of kinds that `kubectl get GROUP` shows together, such as `all`. */
  readonly categories: readonly string[];
  /** Where replicas stand, if the kind can be scaled. */
  readonly scale: ScalePaths | undefined;
  /** Paths of fields that field selectors may name. */
  readonly selectable: readonly string[];
}

/** A declared kind whose types do not matter. */
export type AnyCustomKind = CustomKind<unknown, unknown, unknown>;

/** The spec of a declared kind, as a reader sees it. */
export type SpecOf<K extends AnyCustomKind> = NonNullable<K["Object"]>["spec"];

/** The status of a declared kind, as its declaration says (without the engine's own fields). */
export type StatusOf<K extends AnyCustomKind> = K extends CustomKind<infer _S, infer _I, infer Status> ? Status : never;

/** What `kind()` takes. */
export interface KindDeclaration<Spec extends AnySchema, Status extends AnySchema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Default: the kind in lower case, made plural. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Groups of kinds that `kubectl get GROUP` shows together, such as `all`. */
  readonly categories?: readonly string[];
  /** Default: Namespaced. */
  readonly scope?: Scope;
  readonly spec: Spec;
  /** Without conditions and observedGeneration: the engine adds them. */
  readonly status?: Status;
  /** Columns of `kubectl get` beside Ready and Age: title → JSONPath, or more about it. */
  readonly columns?: Readonly<Record<string, string | ColumnDeclaration>>;
  /** Makes `kubectl scale` and autoscalers work. */
  readonly scale?: ScalePaths;
  /** Paths of scalar fields that field selectors may name, such as `.spec.color`. */
  readonly selectable?: readonly string[];
  /** Rules in CEL about the whole object: `self.spec`, `self.metadata.name`. */
  readonly rules?: readonly ValidationRule[];
}

/** Declares a kind: the types of its objects, their validation and their CRD come from this one expression. */
export function kind<Spec extends AnySchema, Status extends AnySchema = AnySchema>(
  declaration: KindDeclaration<Spec, Status>,
): CustomKind<Infer<Spec>, InferInput<Spec>, Infer<Status>> {
  checkNames(declaration);
  const schema: StructuralSchema = {
    type: "object",
    properties: { spec: declaration.spec.structural, status: statusSchema(declaration) },
    ...(declaration.spec.presence === "required" ? { required: ["spec"] } : {}),
    ...(declaration.rules === undefined ? {} : { "x-kubernetes-validations": declaration.rules }),
  };
  const [issue] = compileRules(schema, true).issues;
  if (issue !== undefined) throw new DeclarationError(`${declaration.kind}: ${issue.path}: ${issue.message}`);
  checkScale(schema, declaration.kind, declaration.scale);
  checkSelectable(schema, declaration.kind, declaration.selectable ?? []);
  return {
    group: declaration.group,
    version: declaration.version,
    kind: declaration.kind,
    plural: declaration.plural ?? pluralOf(declaration.kind),
    singular: declaration.kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    scale: declaration.scale,
    selectable: declaration.selectable ?? [],
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
        `${declaration.kind}: status.${name} is kept by the engine: leave it out of the status`,
      );
    }
  }
  if ((own.required ?? []).length > 0) {
    const names = (own.required ?? []).join(", ");
    throw new DeclarationError(
      `${declaration.kind}: a status is built up over time, so its fields are optional: write .optional() on ${names}`,
    );
  }
  return { ...own, type: "object", properties: { ...own.properties, ...engineStatus } };
}
