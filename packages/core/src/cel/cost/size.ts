/**
 * Size limits of data for estimates: characters of a string, elements of a list, entries of a map. Paths start with a
 * variable; `[*]` is any element of a list or value of a map, `[keys]` any key: `self.items`, `self.items[*].name`.
 */
export interface SizeHints {
  readonly paths?: Readonly<Record<string, number>>;
  /** The limit for other paths; unlimited if omitted. */
  readonly otherwise?: number;
}

/** The size limits of a value and its parts. */
export interface SizedShape {
  readonly size: number;
  /** Returns the limits of a member, an element or value (`[*]`), or a key (`[keys]`). */
  readonly part: (name: string) => SizedShape;
}

/** A value without a size: a number, a bool, a time. */
export const SCALAR: SizedShape = { size: 0, part: () => SCALAR };

/** A value with a known size and parts of unknown size. */
export function sizedShape(size: number, part: SizedShape = SCALAR): SizedShape {
  return { size, part: () => part };
}

/** A value at a path of the data. */
export function shapeAt(path: string, hints: SizeHints): SizedShape {
  const { paths = {}, otherwise = Infinity } = hints;
  const size = Object.hasOwn(paths, path) ? paths[path] : undefined;
  return {
    size: size ?? otherwise,
    part: (name) => shapeAt(name.startsWith("[") ? path + name : `${path}.${name}`, hints),
  };
}

/** Returns the limits of a value that is one of these. */
export function unionShape(shapes: readonly SizedShape[]): SizedShape {
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return only;
  return {
    size: Math.max(0, ...shapes.map(({ size }) => size)),
    part: (name) => unionShape(shapes.map((shape) => shape.part(name))),
  };
}
