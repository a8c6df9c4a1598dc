import type { Command } from "commander";

/** The flags of the HyperFleet Sentinel. A test compares them with the settings that the Sentinel supports. */
export const HYPERFLEET_FLAGS: Readonly<Record<string, string>> = {
  name: "name of this Sentinel",
  "resource-type": "plural of the kind to publish pulses for",
  "poll-interval": "poll interval, e.g. 5s",
  "hyperfleet-api-base-url": "URL of the API, for --source=http",
  "hyperfleet-api-version": "API version, e.g. v1",
  "hyperfleet-api-timeout": "request timeout, e.g. 10s",
  "hyperfleet-api-page-size": "resources per page, e.g. 20",
  "hyperfleet-api-token-path": "file with a bearer token",
  "hyperfleet-api-token-cache-ttl": "time until the token file is read again, e.g. 30s",
  "broker-topic": "topic to publish pulses to",
  "debug-config": "log the configuration at the start",
  "tracing-enabled": "whether pulses carry a trace context",
};

/** Adds the flags of the HyperFleet Sentinel to a command. */
export function addHyperfleetFlags(command: Command): Command {
  for (const [flag, help] of Object.entries(HYPERFLEET_FLAGS)) command.option(`--${flag} <value>`, help);
  return command;
}

/** Returns the values of these flags by name. */
export function hyperfleetFlags(options: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const values = Object.keys(HYPERFLEET_FLAGS).flatMap((flag): readonly [string, string][] => {
    const value = options[flag.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase())];
    return typeof value === "string" ? [[flag, value]] : [];
  });
  return Object.fromEntries(values);
}
