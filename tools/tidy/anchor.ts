import { withoutBlocks } from "./prose.ts";
import { perFile } from "./tree.ts";
import type { Tree } from "./tree.ts";

const HEADING = /^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/gm;

/** What links to a document may name after `#`: its headings as forges and editors write them. */
export const anchorsOf: (tree: Tree, path: string) => ReadonlySet<string> = perFile((text) => {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(text).matchAll(HEADING)) {
    const plain = anchorOf(heading);
    let anchor = plain;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${plain}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
});

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, "")
    .replaceAll(" ", "-");
}
