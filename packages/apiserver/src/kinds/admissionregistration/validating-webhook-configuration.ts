import { ValidatingWebhookConfiguration } from "@levelset/core";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import { configurationErrors, withWebhookDefaults, webhookPrinter } from "./webhook.ts";
import { builtinResource } from "../../resource/index.ts";

/** Strategy of ValidatingWebhookConfigurations. */
const validatingWebhookStrategy: KindStrategy = {
  defaults: (draft) => withWebhookDefaults(draft, {}),
  validate: configurationErrors,
};

/** ValidatingWebhookConfigurations. */
export const validatingWebhookConfigurationResource: Resource = builtinResource({
  kind: ValidatingWebhookConfiguration,
  categories: ["api-extensions"],
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: validatingWebhookStrategy,
  printer: webhookPrinter,
});
