import type { Condition } from "../condition/index.ts";
import { DeclarationError } from "../error/index.ts";
import type { KubeObject } from "../object/index.ts";
import type { AnySchema, Infer, InferInput, StructuralSchema } from "../schema/index.ts";
import { printerColumns } from "./columns.ts";
import type { PrinterColumn } from "./columns.ts";
import { engineStatus } from "./engine-status.ts";
import type { Kind, NewObject, Scope } from "./kind.ts";
import { checkNames, pluralOf } from "./names.ts";

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
  /** Default: Namespaced. */
  readonly scope?: Scope;
  readonly spec: Spec;
  /** Without conditions and observedGeneration: the engine adds them. */
  readonly status?: Status;
  /** Columns of `kubectl get` beside Ready and Age: title → JSONPath. */
  readonly columns?: Readonly<Record<string, string>>;
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
  };
  return {
    group: declaration.group,
    version: declaration.version,
    kind: declaration.kind,
    plural: declaration.plural ?? pluralOf(declaration.kind),
    singular: declaration.kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
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
