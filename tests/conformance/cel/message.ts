import { equals, getExtension, hasExtension } from "@bufbuild/protobuf";
import type { DescExtension, DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { CelStruct, celError, structType } from "../../../packages/core/src/cel/value/index.ts";
import type { CelError, CelObject, CelType, CelValue } from "../../../packages/core/src/cel/value/index.ts";

/** Converts a field value of reflection. */
export type ReadField = (field: DescField | DescExtension, raw: unknown, isSet: boolean) => CelValue | CelError;

/** A protobuf message as a CEL object. Field names with dots are extensions. */
export class CelMessage extends CelStruct {
  readonly celType: CelType;
  readonly desc: DescMessage;
  readonly message: Message;
  readonly #registry: Registry;
  readonly #read: ReadField;

  constructor(desc: DescMessage, message: Message, registry: Registry, read: ReadField) {
    super();
    this.celType = structType(desc.typeName);
    this.desc = desc;
    this.message = message;
    this.#registry = registry;
    this.#read = read;
  }

  get(name: string): CelValue | CelError {
    const extension = this.#extension(name);
    if (extension !== undefined) {
      const isSet = hasExtension(this.message, extension);
      return this.#read(extension, getExtension(this.message, extension), isSet);
    }
    const field = this.#field(name);
    if (field === undefined) return celError(`no such field '${name}'`);
    const reflected = reflect(this.desc, this.message);
    return this.#read(field, reflected.get(field), reflected.isSet(field));
  }

  has(name: string): boolean | CelError {
    const extension = this.#extension(name);
    if (extension !== undefined) return hasExtension(this.message, extension);
    const field = this.#field(name);
    return field === undefined ? celError(`no such field '${name}'`) : reflect(this.desc, this.message).isSet(field);
  }

  override equals(other: CelObject): boolean {
    if (!(other instanceof CelMessage) || other.desc.typeName !== this.desc.typeName) return false;
    const options = { registry: this.#registry, unpackAny: true, extensions: true, unknown: true };
    return equals(this.desc, this.message, other.message, options);
  }

  override isZero(): boolean {
    const reflected = reflect(this.desc, this.message);
    return reflected.fields.every((field) => !reflected.isSet(field));
  }

  #field(name: string): DescField | undefined {
    return this.desc.fields.find((field) => field.name === name);
  }

  #extension(name: string): DescExtension | undefined {
    const found = name.includes(".") ? this.#registry.getExtension(name) : undefined;
    return found?.extendee.typeName === this.desc.typeName ? found : undefined;
  }
}
