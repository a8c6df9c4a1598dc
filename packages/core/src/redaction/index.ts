/** Removes secrets from data and text before they are shown, logged or stored. Begin with `redact-secrets.ts`. */

export { redactCredentials } from "./redact-credentials.ts";
export { REDACTED, redactFields } from "./redact-fields.ts";
export { redactSecrets, redactSecretsInPair, SECRET_MASK } from "./redact-secrets.ts";
export { SecretRedactor, secretScrubber } from "./secret-redactor.ts";
export type { SecretRedactorOptions } from "./secret-redactor.ts";
