import { InvalidArgumentError } from "commander";

/** Parses a port number. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new InvalidArgumentError("write a port number from 0 to 65535.");
  return port;
}
