import { Option } from "commander";

/** Returns the `--output` option; the first format is the default. */
export function outputOption(...formats: readonly string[]): Option {
  return new Option("-o, --output <format>", "output format").choices(formats).default(formats[0]);
}
