import { MutatingWebhookConfiguration } from "@levelset/core";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import { configurationErrors, withWebhookDefaults, webhookPrinter } from "./webhook.ts";
import { builtinResource } from "../../resource/index.ts";

/** Strategy of MutatingWebhookConfigurations. */
const mutatingWebhookStrategy: KindStrategy = {
  defaults: (draft) => withWebhookDefaults(draft, { reinvocationPolicy: "Never" }),
  validate: configurationErrors,
};

/** MutatingWebhookConfigurations. */
export const mutatingWebhookConfigurationResource: Resource = builtinResource({
  kind: MutatingWebhookConfiguration,
  categories: ["api-extensions"],
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: mutatingWebhookStrategy,
  printer: webhookPrinter,
});
