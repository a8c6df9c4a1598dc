import type { ManagedOperator } from "@levelset/operator";

/** Options of {@link baseFiles}. */
export interface BaseOptions {
  readonly operators: readonly ManagedOperator[];
  /** Name of the generated objects. */
  readonly name: string;
  /** Namespace of the pods. */
  readonly namespace: string;
  readonly image: string;
  /** Path of the module file in the image. */
  readonly file: string;
  readonly replicas: number;
  /** Namespaces to watch. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Whether the operators install their CRDs, instead of the base. */
  readonly installCrds: boolean;
}

/** Port of the endpoints in the pod. */
export const ENDPOINT_PORT = { name: "http", number: 8080 } as const;

/** Returns the metadata of an object in the namespace of the pods. */
export function metadataOf({ name, namespace }: BaseOptions): {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
} {
  return { name, namespace, labels: labelsOf(name) };
}

/** Returns the labels of all generated objects. */
export function labelsOf(name: string): Readonly<Record<string, string>> {
  return { ...selectorOf(name), "app.kubernetes.io/managed-by": "levelset" };
}

/** Returns the pod selector. It must never change, because the selector of a Deployment is immutable. */
export function selectorOf(name: string): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": name };
}
