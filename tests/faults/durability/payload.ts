import { crc32 } from "node:zlib";
import type { ApiObject } from "@levelset/apiserver";

/** Returns an object with a checksum of its content. */
export function payload(name: string, text: string): ApiObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, uid: name, resourceVersion: "" },
    data: { text, sum: String(crc32(text)) },
  };
}

/** Returns whether the checksum of an object matches its content. */
export function isWhole(object: ApiObject): boolean {
  const data = object["data"] as { readonly text: string; readonly sum: string }; // only objects of `payload` are written
  return String(crc32(data.text)) === data.sum;
}
