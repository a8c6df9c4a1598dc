/** Files that only their owner can read: claims and tokens. Begin with `private-file.ts`. */

export { claimFile, writePrivateFile } from "./private-file.ts";
export { readTokenFile } from "./token-file.ts";
