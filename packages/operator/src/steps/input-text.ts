import type { KubeObject, TextOut, TextValue } from "@levelset/core";

/** The values that an input must have, by name. */
export type TextValues = Readonly<Record<string, TextValue<unknown>>>;

/** What is read of an input with these values. */
export type TextsOut<Keys extends TextValues> = { readonly [Name in keyof Keys]: TextOut<Keys[Name]> };

/** What of a Secret or a ConfigMap holds its values. */
export interface TextObject extends KubeObject {
  /** Clear text in a ConfigMap, base64 in a Secret. */
  readonly data?: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** What came of reading an input. */
export type InputReading<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** What is wrong, for people, without any value of the input. */
  | { readonly kind: "bad"; readonly problems: readonly string[] };

/** Reads the values that are asked for and no others. `keyNames` says under which keys those stand that are called otherwise. */
export function readTexts<Keys extends TextValues>(
  object: TextObject,
  what: string,
  values: Keys,
  keyNames: { readonly [Name in keyof Keys]?: string | undefined },
): InputReading<TextsOut<Keys>> {
  const problems: string[] = [];
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values)) {
    const key = keyNames[name] ?? name;
    const text = textOf(object, key);
    const reading = text === undefined ? value.missing : text === "bytes" ? undefined : value.read(text.text);
    if (reading !== undefined) read.push([name, reading.value]);
    else problems.push(text === undefined ? `${key} is missing in ${what}` : `${key} in ${what} is not ${value.what}`);
  }
  if (problems.length > 0) return { kind: "bad", problems };
  // Every value was read by the entry of its name.
  return { kind: "read", value: Object.freeze(Object.fromEntries(read)) as TextsOut<Keys> };
}

/** The text under a key; `bytes` for what is no text. */
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

/** Keys are data: `constructor` is one like any other. */
function own(texts: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined;
}
