/**
 * How large data may be, for estimates: characters of a text, elements of a list, entries of a map. Paths start with a variable;
 * `[*]` stands for any element of a list or value of a map, `[keys]` for any of its keys: `self.items`,
 * `self.items[*].name`.
 */
export interface SizeHints {
  readonly paths?: Readonly<Record<string, number>>;
  /** What holds where no path says more; unlimited if left out. */
  readonly otherwise?: number;
}

/** What is known of a value: how large it may be, and what its parts may be. */
export interface Shape {
  readonly size: number;
  /** A member with this name, an element or value (`[*]`), or a key (`[keys]`). */
  readonly part: (name: string) => Shape;
}

/** A value without a size: a number, a bool, a time. */
export const SCALAR: Shape = { size: 0, part: () => SCALAR };

/** A value of which only the size is known, with parts of which nothing is. */
export function sized(size: number, part: Shape = SCALAR): Shape {
  return { size, part: () => part };
}

/** A value at a path of the data. */
export function shapeAt(path: string, hints: SizeHints): Shape {
  const { paths = {}, otherwise = Infinity } = hints;
  const size = Object.hasOwn(paths, path) ? paths[path] : undefined;
  return {
    size: size ?? otherwise,
    part: (name) => shapeAt(name.startsWith("[") ? path + name : `${path}.${name}`, hints),
  };
}

/** What is known of a value that may be any of these. */
export function either(shapes: readonly Shape[]): Shape {
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return only;
  return {
    size: Math.max(0, ...shapes.map(({ size }) => size)),
    part: (name) => either(shapes.map((shape) => shape.part(name))),
  };
}
