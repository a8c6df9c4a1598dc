import type { Kind, NewOf } from "@levelset/core";

/** A value whose fields are all optional at every level. Lists are complete. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [F in keyof T]?: DeepPartial<T[F]> }
    : T;

/** The input of server-side apply: the name of an object and the fields that the field manager sets. */
export type ApplyConfiguration<K extends Kind> = Omit<DeepPartial<NewOf<K>>, "metadata"> & {
  readonly metadata: NewOf<K>["metadata"];
};
