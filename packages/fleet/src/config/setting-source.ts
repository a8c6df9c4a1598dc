/** The source of a setting's value, in order of increasing precedence. */
export type SettingSource =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "flag"; readonly flag: string };

/** Describes a source. */
export function describeSettingSource(origin: SettingSource): string {
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

/** A resolved setting. */
export interface ResolvedSetting {
  /** `store.connections_max`. */
  readonly path: string;
  /** The description. */
  readonly about: string;
  /** Variables that set it, by precedence. */
  readonly env: readonly string[];
  /** Without secrets; undefined if it has no value. */
  readonly displayValue: string | undefined;
  readonly source: SettingSource;
}
