import { normalize } from "node:path/posix";
import { toError } from "@levelset/core/internal";
import type { TaskNode } from "./task-node.ts";

/** Files next to a task configuration. */
export interface TaskFiles {
  /** Returns the text of a file. Adds a problem and returns an empty text if it cannot be read. */
  read(node: TaskNode, key: string, path: string): string;
}

/**
 * Files below the directory of the configuration. A path outside of it is rejected. Of an absolute path outside the
 * directory only the last segment is used, since configurations written for a container name its mount path.
 */
export function taskFilesIn(directory: string, readText: (path: string) => string): TaskFiles {
  return {
    read: (node, key, path) => {
      const inside = normalize(path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path);
      const relative = inside.startsWith("/") ? inside.slice(inside.lastIndexOf("/") + 1) : inside;
      if (relative.startsWith("..") || relative === "." || relative === "") {
        node.problem(key, `${path} is outside the configuration directory`);
        return "";
      }
      try {
        return readText(`${directory}/${relative}`);
      } catch (error) {
        node.problem(key, `${path} cannot be read: ${toError(error).message}`);
        return "";
      }
    },
  };
}
