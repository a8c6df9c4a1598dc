import { crc32 } from "node:zlib";
import type { ApiObject } from "@levelset/apiserver";

/** An object that can tell whether it is whole. */
export function payload(name: string, text: string): ApiObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, uid: name, resourceVersion: "" },
    data: { text, sum: String(crc32(text)) },
  };
}

/** Whether an object is exactly what `payload` made. */
export function isWhole(object: ApiObject): boolean {
  const data = object["data"] as { readonly text: string; readonly sum: string }; // nothing else is ever written
  return String(crc32(data.text)) === data.sum;
}
