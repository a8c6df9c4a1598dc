import { normalize } from "node:path/posix";
import { toError } from "@levelset/core";
import type { TaskNode } from "./task-node.ts";

/** The files beside a task's configuration. */
export interface TaskFiles {
  /** The text of a file; a problem and an empty text if it cannot be had. */
  read(node: TaskNode, key: string, path: string): string;
}

/**
 * Files below the directory of the configuration. A path that leads out of it is refused. An absolute one is taken by its last part where the
 * directory is not mounted under that name, as configurations that were written for a container have it.
 */
export function filesBelow(directory: string, readText: (path: string) => string): TaskFiles {
  return {
    read: (node, key, path) => {
      const inside = normalize(path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path);
      const relative = inside.startsWith("/") ? inside.slice(inside.lastIndexOf("/") + 1) : inside;
      if (relative.startsWith("..") || relative === "." || relative === "") {
        node.problem(key, `${path} is not inside of the configuration's directory`);
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
