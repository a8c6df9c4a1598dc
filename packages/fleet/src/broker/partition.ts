const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the partition of a key. It is the same on every machine because it selects the queue that preserves the order
 * of the key's messages. FNV-1a over UTF-16 units with the high bits folded in, because the low bits alone are poorly
 * distributed.
 */
export function partitionOf(key: string, count: number): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}
