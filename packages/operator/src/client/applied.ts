import type { Kind, NewOf } from "@levelset/core";

/** A value of which any field may be left out. Lists are given whole. */
export type Partially<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [F in keyof T]?: Partially<T[F]> }
    : T;

/** What a writer says about an object with server-side apply: its name and the fields that it cares for. */
export type Applied<K extends Kind> = Omit<Partially<NewOf<K>>, "metadata"> & {
  readonly metadata: NewOf<K>["metadata"];
};
