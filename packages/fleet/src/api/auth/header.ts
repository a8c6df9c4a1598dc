import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** What a request's header says, without blanks around it; undefined if it is absent or empty. */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const text = headers.get(name)?.trim();
  return text === "" ? undefined : text;
}

/** Throws an InputError that names the field if no header can be called that. */
export function checkHeaderName(name: string, field: string): void {
  if (!NAME.test(name)) throw new InputError(`${field}: ${JSON.stringify(name)} is no name of a header`);
}
