import type { Managed } from "@levelset/operator";

/** What is written about a deployment of operators. */
export interface BaseOptions {
  readonly operators: readonly Managed[];
  /** How everything is called. */
  readonly name: string;
  /** Where the operators' pods are. */
  readonly namespace: string;
  readonly image: string;
  /** The path of the operators' file in the image. */
  readonly file: string;
  readonly replicas: number;
  /** Where operators work. Absent: everywhere. */
  readonly namespaces?: readonly string[] | undefined;
  /** Whether operators bring their CRDs along, instead of finding them installed. */
  readonly installCrds: boolean;
}

/** The port of the endpoints, in the pod. */
export const PORT = { name: "http", number: 8080 } as const;

/** The metadata of objects beside the operators' pods. */
export function metadataOf({ name, namespace }: BaseOptions): {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
} {
  return { name, namespace, labels: labelsOf(name) };
}

/** The labels of all objects. */
export function labelsOf(name: string): Readonly<Record<string, string>> {
  return { ...selectorOf(name), "app.kubernetes.io/managed-by": "levelset" };
}

/** The labels that find the pods. They must never change: a Deployment's selector cannot. */
export function selectorOf(name: string): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": name };
}
