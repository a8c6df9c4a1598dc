import { builtIn, s, optionalBoolean, optionalStringMap } from "../field-builders.ts";

/** Configuration by key. */
export const ConfigMap = builtIn({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  description: "Configuration by key.",
  shortNames: ["cm"],
  fields: {
    data: optionalStringMap("The values."),
    binaryData: s.map(s.string().format("byte")).describe("Binary values in base64.").optional(),
    immutable: optionalBoolean("Whether data is immutable."),
  },
});
