import type { CelError, CelType, CelValue } from "../value/index.ts";

/** Provides types that CEL does not have: the extension point for messages of other systems. */
export interface CelTypeProvider {
  /** Returns the type with a full name; undefined if there is none. Instances may have another form (wrappers). */
  findType(name: string): CelType | undefined;
  /** Returns the constant with this full name, such as an enum value. */
  findConstant(name: string): { readonly type: CelType; readonly value: CelValue } | undefined;
  /** Returns the type of a field of the object type with this full name. */
  findField(type: string, field: string): CelType | undefined;
  /** Creates an object with these fields. */
  create(type: string, fields: ReadonlyMap<string, CelValue>): CelValue | CelError;
}

/** A provider without types. */
export const EMPTY_TYPE_PROVIDER: CelTypeProvider = {
  findType: () => undefined,
  findConstant: () => undefined,
  findField: () => undefined,
  create: () => null,
};
