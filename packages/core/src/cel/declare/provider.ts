import type { CelFault, CelType, CelValue } from "../value/index.ts";

/** Where an environment gets types from that CEL does not have: the extension point for messages of other systems. */
export interface CelTypeProvider {
  /** The type that a full name denotes; undefined if there is none. Instances of it may have another form (wrappers). */
  findType(name: string): CelType | undefined;
  /** A constant with this full name, such as a member of an enum. */
  findConstant(name: string): { readonly type: CelType; readonly value: CelValue } | undefined;
  /** The type of a field of the object type with this full name. */
  findField(type: string, field: string): CelType | undefined;
  /** A new object with these fields set. */
  create(type: string, fields: ReadonlyMap<string, CelValue>): CelValue | CelFault;
}

/** A provider that knows nothing. */
export const NO_TYPES: CelTypeProvider = {
  findType: () => undefined,
  findConstant: () => undefined,
  findField: () => undefined,
  create: () => null,
};
