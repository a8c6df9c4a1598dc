/** A statement parameter. */
export type SqlValue = string | number | null;

/** A statement with its parameters; `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly SqlValue[];
  /** Whether the text is constant, so that the database may cache a prepared statement. */
  readonly isPrepared?: true;
}

/** A result row. Integers are numbers, or strings if the column has 64 bits. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Returns a text column. Throws if it is not a string. */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`database column ${column} is not a string`);
  return value;
}

/** Returns an integer column. Throws if it is not an integer. */
export function integerIn(row: SqlRow, column: string): number {
  const value = optionalInteger(row, column);
  if (value === undefined) throw new TypeError(`database column ${column} is not an integer`);
  return value;
}

/** Returns a text column, or undefined for NULL. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  return row[column] === null || row[column] === undefined ? undefined : textIn(row, column);
}

/** Returns an integer column, or undefined for NULL. */
export function optionalInteger(row: SqlRow, column: string): number | undefined {
  const value = row[column];
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError(`database column ${column} is not an integer`);
  return number;
}

/** Collects the parameters of a statement. Equal values share a parameter. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: SqlValue): string {
    const known = this.values.indexOf(value);
    return `$${known === -1 ? this.values.push(value) : known + 1}`;
  }

  /** Appends the parameters of a fragment whose placeholders start after the current ones. */
  append(values: readonly SqlValue[]): void {
    this.values.push(...values);
  }
}
