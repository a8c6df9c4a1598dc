/** A Sentinel setting that can also be set by a flag or an environment variable. */
export interface SentinelSetting {
  /** Path in the file. */
  readonly path: string;
  /** Flag name without dashes. */
  readonly flag: string;
  readonly env: string;
  /** Help text of the flag. */
  readonly help: string;
}

function setting(path: string, flag: string, env: string, help: string): SentinelSetting {
  return { path, flag, env: `HYPERFLEET_${env}`, help };
}

/** All scalar settings. Selector, decision and message data are in the file only. */
export const SENTINEL_SETTINGS: readonly SentinelSetting[] = [
  setting("sentinel.name", "name", "SENTINEL_NAME", "name of this Sentinel"),
  setting("resource_type", "resource-type", "RESOURCE_TYPE", "plural of the kind to publish pulses for"),
  setting("poll_interval", "poll-interval", "POLL_INTERVAL", "poll interval, e.g. 5s"),
  setting(
    "clients.hyperfleet_api.base_url",
    "hyperfleet-api-base-url",
    "API_BASE_URL",
    "URL of the API, for --source=http",
  ),
  setting("clients.hyperfleet_api.version", "hyperfleet-api-version", "API_VERSION", "API version, e.g. v1"),
  setting("clients.hyperfleet_api.timeout", "hyperfleet-api-timeout", "API_TIMEOUT", "request timeout, e.g. 10s"),
  setting(
    "clients.hyperfleet_api.page_size",
    "hyperfleet-api-page-size",
    "API_PAGE_SIZE",
    "resources per page, e.g. 20",
  ),
  setting(
    "clients.hyperfleet_api.auth.token_path",
    "hyperfleet-api-token-path",
    "API_TOKEN_PATH",
    "file with a bearer token",
  ),
  setting(
    "clients.hyperfleet_api.auth.token_cache_ttl",
    "hyperfleet-api-token-cache-ttl",
    "API_TOKEN_CACHE_TTL",
    "time until the token file is read again, e.g. 30s",
  ),
  setting("clients.broker.topic", "broker-topic", "BROKER_TOPIC", "topic to publish pulses to"),
  setting("log.level", "log-level", "LOG_LEVEL", "debug, info, warn or error"),
  setting("log.format", "log-format", "LOG_FORMAT", "text or json"),
  setting("log.output", "log-output", "LOG_OUTPUT", "stdout or stderr"),
  setting("debug_config", "debug-config", "DEBUG_CONFIG", "log the configuration at the start"),
  setting("tracing_enabled", "tracing-enabled", "TRACING_ENABLED", "whether pulses carry a trace context"),
];

/**
 * Returns how to set the value at a path: `--poll-interval, HYPERFLEET_POLL_INTERVAL, or poll_interval in the file`.
 */
export function settingHint(path: string): string {
  const found = SENTINEL_SETTINGS.find((known) => known.path === path);
  return found === undefined ? `${path} in the file` : `--${found.flag}, ${found.env}, or ${path} in the file`;
}
