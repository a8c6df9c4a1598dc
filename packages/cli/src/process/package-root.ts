/** Directory of this package. The main module is one level below it, both as source and as built file. */
export const PACKAGE_ROOT: URL = new URL("..", import.meta.resolve("levelset"));
