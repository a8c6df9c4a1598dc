import { builtIn, s, optionalBoolean, optionalString, optionalStringMap } from "../field-builders.ts";

/** Confidential values by key. They must never be logged or shown. */
export const Secret = builtIn({
  group: "",
  version: "v1",
  kind: "Secret",
  description: "Confidential values by key.",
  fields: {
    data: s.map(s.string().format("byte")).describe("The values, in base64.").optional(),
    stringData: optionalStringMap("Values in clear text, for writing only; merged into data."),
    type: optionalString("Type of the secret; defaults to Opaque."),
    immutable: optionalBoolean("Whether data is immutable."),
  },
});
