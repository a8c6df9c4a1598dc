const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The slot of a key: the same on every machine, for it says which queue keeps the key's messages in order. FNV-1a over UTF-16 units,
 * with its high bits folded in, because the low ones alone spread poorly.
 */
export function slotOf(key: string, slots: number): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  return ((hash ^ (hash >>> 16)) >>> 0) % slots;
}
