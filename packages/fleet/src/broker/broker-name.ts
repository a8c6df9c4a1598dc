import { InputError } from "@levelset/core";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

/**
 * Validates the name of a topic or subscription, which becomes part of stream, queue and subject names, and returns it.
 * Throws if the name is invalid.
 */
export function checkBrokerName(what: "topic" | "subscription", name: string): string {
  if (NAME.test(name)) return name;
  throw new InputError(`invalid ${what} name ${JSON.stringify(name)}`, {
    hint: "Use up to 100 letters, digits, dots, dashes and underscores; start with a letter or digit.",
  });
}
