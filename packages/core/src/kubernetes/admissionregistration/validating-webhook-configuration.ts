import { builtIn, s, optional, withPatchStrategy } from "../field-builders.ts";
import { webhookFields } from "./webhook.ts";

/** Webhooks that may reject requests. */
export const ValidatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  description: "Webhooks that may reject requests.",
  scope: "Cluster",
  fields: {
    webhooks: withPatchStrategy(
      "merge",
      optional(s.array(s.object(webhookFields)).keyedBy("name"), "The webhooks."),
      "name",
    ),
  },
});
