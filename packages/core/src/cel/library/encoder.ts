import { decodeBase64, encodeBase64 } from "../../json/index.ts";
import { bytesParam, stringParam, functionOverload } from "../declare/index.ts";
import { CEL_BYTES, CEL_STRING, celError } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** The CEL functions `base64.encode` and `base64.decode`. */
export const ENCODERS_LIBRARY: CelLibrary = {
  name: "encoders",
  functions: [
    [
      "base64.encode",
      [
        functionOverload("base64_encode_bytes", {
          parameters: [bytesParam],
          result: CEL_STRING,
          cost: "scan",
          call: encodeBase64,
        }),
      ],
    ],
    [
      "base64.decode",
      [
        functionOverload("base64_decode_string", {
          parameters: [stringParam],
          result: CEL_BYTES,
          cost: "scan",
          call: (text) => decodeBase64(text) ?? celError("invalid base64"),
        }),
      ],
    ],
  ],
};
