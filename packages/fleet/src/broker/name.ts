import { InputError } from "@levelset/core";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

/** A topic's or subscription's name, checked: it becomes part of the names of streams, queues and subjects. */
export function checkName(what: "topic" | "subscription", name: string): string {
  if (NAME.test(name)) return name;
  throw new InputError(`${what} ${JSON.stringify(name)} is no name`, {
    hint: "Use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first.",
  });
}
