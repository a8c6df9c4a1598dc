import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Returns the trimmed value of a header; undefined if it is absent or empty. */
export function headerValue(headers: RequestHeaders, name: string): string | undefined {
  const text = headers.get(name)?.trim();
  return text === "" ? undefined : text;
}

/** Throws an `InputError` that names the field if the header name is invalid. */
export function checkHeaderName(name: string, field: string): void {
  if (!NAME.test(name)) throw new InputError(`${field}: invalid header name ${JSON.stringify(name)}`);
}
