import type { Command } from "commander";

/** The flags of the originals' Sentinel that are about itself. A test holds them to what the Sentinel knows. */
export const ORIGINAL_FLAGS: Readonly<Record<string, string>> = {
  name: "what this Sentinel calls itself",
  "resource-type": "the plural of the kind to pulse",
  "poll-interval": "how often to look: 5s",
  "hyperfleet-api-base-url": "where the API is, for --source=http",
  "hyperfleet-api-version": "the API's version: v1",
  "hyperfleet-api-timeout": "how long a request may take: 10s",
  "hyperfleet-api-page-size": "resources per page: 20",
  "hyperfleet-api-token-path": "a file with a bearer token",
  "hyperfleet-api-token-cache-ttl": "how long a token is used before its file is read again: 30s",
  "broker-topic": "where pulses are published",
  "debug-config": "log the configuration at the start",
  "tracing-enabled": "whether pulses carry a trace",
};

/** Gives a command the flags of the originals' Sentinel. */
export function addOriginalFlags(command: Command): Command {
  for (const [flag, help] of Object.entries(ORIGINAL_FLAGS)) command.option(`--${flag} <value>`, help);
  return command;
}

/** What those flags say, by name. */
export function originalFlags(options: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.keys(ORIGINAL_FLAGS).flatMap((flag): readonly [string, string][] => {
    const value = options[flag.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase())];
    return typeof value === "string" ? [[flag, value]] : [];
  });
  return Object.fromEntries(given);
}
