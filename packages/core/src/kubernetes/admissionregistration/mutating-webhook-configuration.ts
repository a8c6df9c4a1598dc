import { builtIn, s, optional, withPatchStrategy } from "../field-builders.ts";
import { webhookFields } from "./webhook.ts";

const mutatingWebhook = s.object({
  ...webhookFields,
  reinvocationPolicy: s
    .enum("Never", "IfNeeded")
    .describe("Whether it is called again if later webhooks change the object; defaults to Never.")
    .optional(),
});

/** Webhooks that may change requests. */
export const MutatingWebhookConfiguration = builtIn({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  description: "Webhooks that may change requests.",
  scope: "Cluster",
  fields: {
    webhooks: withPatchStrategy("merge", optional(s.array(mutatingWebhook).keyedBy("name"), "The webhooks."), "name"),
  },
});
