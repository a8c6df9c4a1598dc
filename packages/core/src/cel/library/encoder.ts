import { aBytes, aString, global } from "../declare/index.ts";
import { CEL_BYTES, CEL_STRING, decodeBase64, encodeBase64 } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** Base64. */
export const ENCODERS: CelLibrary = {
  name: "encoders",
  functions: [
    [
      "base64.encode",
      [global("base64_encode_bytes", { parameters: [aBytes], result: CEL_STRING, cost: "scan", call: encodeBase64 })],
    ],
    [
      "base64.decode",
      [global("base64_decode_string", { parameters: [aString], result: CEL_BYTES, cost: "scan", call: decodeBase64 })],
    ],
  ],
};
