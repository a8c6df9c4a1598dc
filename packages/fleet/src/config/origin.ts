/** Where the value of a setting is from. The later ones go before the earlier. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "flag"; readonly flag: string };

/** An origin for people. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case "default":
      return "default";
    case "file":
      return origin.path;
    case "env":
      return origin.name;
    case "flag":
      return origin.flag;
    default:
      return origin satisfies never;
  }
}

/** A setting as it was found. */
export interface FoundSetting {
  /** `store.connections_max`. */
  readonly path: string;
  /** What it is for. */
  readonly about: string;
  /** Variables that set it, the first one before the others. */
  readonly env: readonly string[];
  /** For people: without secrets; undefined if it has no value. */
  readonly shown: string | undefined;
  readonly origin: Origin;
}
