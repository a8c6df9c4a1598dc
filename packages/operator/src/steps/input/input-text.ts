import type { KubeObject } from "@levelset/core";
import type { StringParserOutput, StringParser } from "@levelset/core/schema";

/** Parsers of the values of an input, by name. */
export type TextValues = Readonly<Record<string, StringParser<unknown>>>;

/** Parsed values of an input. */
export type TextsOut<Keys extends TextValues> = { readonly [Name in keyof Keys]: StringParserOutput<Keys[Name]> };

/** A Secret or a ConfigMap with its values. */
export interface TextObject extends KubeObject {
  /** Plain text in a ConfigMap, base64 in a Secret. */
  readonly data?: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** Result of reading an input. */
export type InputReadResult<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** Problems, without any value of the input. */
  | { readonly kind: "bad"; readonly problems: readonly string[] };

/** Reads only the declared values. `keyNames` maps names to other keys. */
export function readInputTexts<Keys extends TextValues>(
  object: TextObject,
  what: string,
  values: Keys,
  keyNames: { readonly [Name in keyof Keys]?: string | undefined },
): InputReadResult<TextsOut<Keys>> {
  const problems: string[] = [];
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values)) {
    const key = keyNames[name] ?? name;
    const text = textOf(object, key);
    const reading = text === undefined ? value.missing : text === "bytes" ? undefined : value.parse(text.text);
    if (reading !== undefined) read.push([name, reading.value]);
    else problems.push(text === undefined ? `${key} is missing in ${what}` : `${key} in ${what} is not ${value.what}`);
  }
  if (problems.length > 0) return { kind: "bad", problems };
  // Every value was parsed by the entry of its name.
  return { kind: "read", value: Object.freeze(Object.fromEntries(read)) as TextsOut<Keys> };
}

/** Returns the text of a key; `bytes` if it is not valid text. */
function textOf(object: TextObject, key: string): { readonly text: string } | "bytes" | undefined {
  const clear = own(object.data, key);
  if (clear !== undefined && object.kind !== "Secret") return { text: clear };
  const encoded = clear ?? own(object.binaryData, key);
  if (encoded === undefined) return undefined;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(Buffer.from(encoded, "base64")) };
  } catch {
    return "bytes";
  }
}

/** Keys are data: `constructor` is an ordinary key. */
function own(texts: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined;
}
